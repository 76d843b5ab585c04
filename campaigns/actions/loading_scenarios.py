"""Loads the scenarios of a campaign file: those that files brought; others stay as they are."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from campaigns.actions.load_report import LoadReport
from campaigns.campaign_file.reader import ScenarioSpec
from campaigns.models import Campaign, Scenario, Subtask
from campaigns.origins import Origin
from reading.strict_json import are_same

Parts = Sequence[tuple[str, int | None]]
LEFT_OF_PAGE = gettext_noop("left alone: scenario %(key)s, made in the browser")
GONE = gettext_noop("left alone: scenario %(key)s, no longer in the file; only pruning removes it")
TAKEN_BY_PAGE = gettext_noop(
    "scenario %(key)s was made or changed in the browser, and the file says something else of it; "
    "choose another key, change it in the browser, or let the file take it over"
)


def load_scenarios(
    campaign: Campaign, specs: Sequence[ScenarioSpec], report: LoadReport, *, default_cap: int | None
) -> list[Scenario]:
    """Compares the stored scenarios with the file's; gives those that there will be. `default_cap` is that of a subtask for
    which the file says none."""
    return _Scenarios(campaign, specs, report, default_cap).load()


def columns_of_scenario(spec: ScenarioSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is only shown and may change at any time, and what rules a dialogue."""
    shown = {
        "title_zh": spec.title.zh,
        "title_en": spec.title.en,
        "opening_en": spec.opening_en,
        "instructions_zh": spec.instructions.zh,
        "instructions_en": spec.instructions.en,
    }
    ruling = {
        "opening": spec.opening,
        "skill": spec.skill,
        "items": list(spec.items),
        "facts": dict(spec.facts),
        "context": dict(spec.context),
        "is_practice": spec.practice,
    }
    return shown, ruling


def write_subtasks(scenario: Scenario, wanted: Iterable[tuple[str, int | None]]) -> None:
    Subtask.objects.bulk_create(subtasks_of(scenario, wanted))


def subtasks_of(scenario: Scenario, wanted: Iterable[tuple[str, int | None]]) -> list[Subtask]:
    return [
        Subtask(scenario=scenario, position=position, kind=kind, turn_cap=cap)
        for position, (kind, cap) in enumerate(wanted, start=1)
    ]


def replace_subtasks(scenario: Scenario, wanted: Parts) -> None:
    scenario.subtasks.all().delete()
    write_subtasks(scenario, wanted)


def remove_with_plan(scenario: Scenario) -> None:
    """For a scenario without begun assignments: the planned ones are deleted first."""
    scenario.assignments(manager="everything").all().delete()
    scenario.delete()


def parts_of(scenario: Scenario) -> Parts:
    return [(subtask.kind, subtask.turn_cap) for subtask in scenario.subtasks.all()]


def put_in_order(campaign: Campaign, wanted: Sequence[str]) -> None:
    """Stores the order of `wanted`, keys that are stored; others keep their places."""
    stored = {one.key: one for one in campaign.scenarios.declared()}
    order = merged_order(list(stored), wanted)
    if order == list(stored) and len({one.position for one in stored.values()}) == len(stored):
        return
    moved = []
    for position, key in enumerate(order, start=1):
        if stored[key].position != position:
            stored[key].position = position
            moved.append(stored[key])
    Scenario.objects.bulk_update(moved, ["position"], batch_size=500)


class _Scenarios:
    def __init__(
        self, campaign: Campaign, specs: Sequence[ScenarioSpec], report: LoadReport, default_cap: int | None
    ) -> None:
        self.campaign, self.specs, self.report, self.default_cap = campaign, specs, report, default_cap
        self.has_begun = campaign.pk is not None and campaign.has_begun()
        self.new: list[tuple[Scenario, Parts]] = []

    def load(self) -> list[Scenario]:
        declared = Scenario.objects.filter(campaign=self.campaign.pk).declared().prefetch_related("subtasks")
        stored = {one.key: one for one in declared}
        keys = [spec.key for spec in self.specs]
        before, n_before = [key for key in stored if key in set(keys)], len(stored)
        self.remove_what_is_gone(stored)
        for number, spec in enumerate(self.specs, start=1):
            scenario = stored.get(spec.key)
            if scenario is None:
                self.add(spec, n_before + number)
            elif scenario.origin == Origin.FILE or self.is_the_files_now(scenario, spec, number):
                self.change(scenario, spec, number)
        if self.new:
            self.report.later(self.store_new)
        self.report.later(lambda: put_in_order(self.campaign, keys))
        if before != [key for key in keys if key in stored]:
            self.report.add_change(gettext_noop("order of the scenarios changed"))
        return [*stored.values(), *(scenario for scenario, _parts in self.new)]

    def add(self, spec: ScenarioSpec, position: int) -> None:
        shown, ruling = columns_of_scenario(spec)
        scenario = Scenario(
            campaign=self.campaign, key=spec.key, position=position, origin=Origin.FILE, **shown, **ruling
        )
        self.new.append((scenario, self.wanted_parts(spec)))
        self.report.add_change(gettext_noop("scenario %(key)s added"), key=spec.key)

    def store_new(self) -> None:
        Scenario.objects.bulk_create([scenario for scenario, _parts in self.new], batch_size=500)
        Subtask.objects.bulk_create(
            [subtask for scenario, parts in self.new for subtask in subtasks_of(scenario, parts)], batch_size=500
        )

    def wanted_parts(self, spec: ScenarioSpec) -> Parts:
        return [(subtask.kind, subtask.turn_cap or self.default_cap) for subtask in spec.subtasks]

    def is_the_files_now(self, scenario: Scenario, spec: ScenarioSpec, number: int) -> bool:
        if self.report.takes_over:
            scenario.origin = Origin.FILE
            self.report.later(partial(scenario.save, update_fields=["origin"]))
            self.report.add_change(gettext_noop("scenario %(key)s: taken over from the browser"), key=spec.key)
            return True
        if self.says_something_else(scenario, spec):
            self.report.note(f"[[scenarios]] {number} key", TAKEN_BY_PAGE, key=spec.key)
        return False

    def says_something_else(self, scenario: Scenario, spec: ScenarioSpec) -> bool:
        shown, ruling = columns_of_scenario(spec)
        return parts_of(scenario) != self.kept_parts(spec, parts_of(scenario)) or any(
            not are_same(getattr(scenario, name), value) for name, value in (shown | ruling).items()
        )

    def change(self, scenario: Scenario, spec: ScenarioSpec, number: int) -> None:
        shown, ruling = columns_of_scenario(spec)
        stored, wanted = parts_of(scenario), self.wanted_parts(spec)
        if self.has_begun:
            wanted = self.with_kept_caps(spec, stored, wanted)
        is_changed = stored != wanted or any(
            not are_same(getattr(scenario, name), value) for name, value in ruling.items()
        )
        if is_changed and scenario.has_begun():
            self.report.note_begun(f"[[scenarios]] {number}")
            return
        text = gettext_noop("scenario %(key)s: %(changed)s changed")
        self.report.compare(scenario, shown | ruling, text, key=spec.key)
        if stored != wanted:
            self.report.later(partial(replace_subtasks, scenario, wanted))
            self.report.add_change(gettext_noop("scenario %(key)s: subtasks changed"), key=spec.key)

    def with_kept_caps(self, spec: ScenarioSpec, stored: Parts, wanted: Parts) -> Parts:
        """A cap that the file does not say is the preset's, which may have changed since: the campaign keeps its own."""
        kept = self.kept_parts(spec, stored)
        if kept != wanted and [kind for kind, _ in stored] == [kind for kind, _ in wanted]:
            text = gettext_noop("scenario %(key)s keeps its turn caps; in a new campaign they are %(cap)s")
            self.report.add_change(text, key=spec.key, cap=self.default_cap)
        return kept

    def kept_parts(self, spec: ScenarioSpec, stored: Parts) -> Parts:
        """The file's subtasks, with the stored caps where it says none and the kinds are the same."""
        wanted = self.wanted_parts(spec)
        if [kind for kind, _ in stored] != [kind for kind, _ in wanted]:
            return wanted
        pairs = zip(spec.subtasks, stored, strict=True)
        return [(kind, own if said.turn_cap is None else said.turn_cap) for said, (kind, own) in pairs]

    def remove_what_is_gone(self, stored: dict[str, Scenario]) -> None:
        """A scenario that the file no longer holds stays, but where it prunes; then a dialogue that needs it is a problem."""
        named = {spec.key for spec in self.specs}
        for key, scenario in list(stored.items()):
            if key in named:
                continue
            if scenario.origin != Origin.FILE:
                self.report.leave_alone(LEFT_OF_PAGE, key=key)
            elif not self.report.prunes:
                self.report.leave_alone(GONE, key=key)
            elif scenario.has_begun():
                self.report.note_gone(f"[[scenarios]] {key}")
            else:
                self.report.later(partial(remove_with_plan, scenario))
                del stored[key]
                self.report.add_change(gettext_noop("scenario %(key)s removed"), key=key)


def merged_order(stored: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The stored keys: those that are wanted in the wanted order, on the places that they have together; all others stay."""
    named, known = set(wanted), set(stored)
    rest = iter([key for key in wanted if key in known])
    return [next(rest) if key in named else key for key in stored]
