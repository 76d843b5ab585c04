"""Writes scenarios in the browser or over the API: one of them, or those of a table; and removes one that nothing needs."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import PreviewIsOld, ground_of, redraw_smaller, standing_of
from campaigns.actions.load_report import LoadReport
from campaigns.actions.loading import compare_drawing
from campaigns.actions.loading_scenarios import (
    columns_of_scenario,
    parts_of,
    remove_with_plan,
    replace_subtasks,
    write_subtasks,
)
from campaigns.calendar import Doing, check_open
from campaigns.campaign_file.dumping import scenario_document
from campaigns.campaign_file.reader import CampaignSpec, ScenarioSpec, check_scenarios
from campaigns.models import Campaign, Scenario
from campaigns.origins import Origin
from campaigns.presets import PRESETS
from campaigns.trail_acts import SCENARIO_REMOVED, SCENARIO_STORED, SCENARIOS_IMPORTED
from reading.checking import Problems
from reading.findings import under
from reading.strict_json import are_same

Placed = tuple[str, ScenarioSpec]
BEGUN = gettext_noop("cannot be changed since dialogues were opened about it; make a new scenario")
RULES = ("cap_per", "turn_cap", "turns_are", "opened_by")


class IsNeeded(Exception):
    """Dialogues were opened about the scenario: it stays."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What was, or would be, added and changed; `digest` is the same for the same change of the same campaign."""

    report: LoadReport
    digest: str


@transaction.atomic
def store_scenario(
    *, campaign: Campaign, spec: ScenarioSpec, by: Person | None, at: datetime, void: Collection[int] = ()
) -> Scenario:
    """Adds the scenario, or gives the one with its key these contents. It is the browser's from now on.

    Errors: `BadFile` with the names of fields as places; `PlanTooLarge`; `NotNow` once the campaign is over.
    """
    campaign = _held(campaign, at)
    report = _compared(campaign, [("", spec)], void).report
    if report.changed:
        report.store()
        record(SCENARIO_STORED, by=by, campaign=campaign.slug, about=spec.key, details={"changes": report.changes})
    return campaign.scenarios.get(key=spec.key)


def preview_scenarios(
    *, campaign: Campaign, rows: Sequence[Placed], at: datetime, void: Collection[int] = ()
) -> Stored:
    """What `import_scenarios` would do now: read and compared, without a transaction.

    Errors: `BadFile`, `PlanTooLarge`, `NotNow`.
    """
    campaign = Campaign.objects.get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return _compared(campaign, rows, void)


@transaction.atomic
def import_scenarios(
    *,
    campaign: Campaign,
    rows: Sequence[Placed],
    name: str,
    by: Person | None,
    at: datetime,
    previewed: str = "",
    void: Collection[int] = (),
) -> Stored:
    """Adds or changes the scenarios of a table, each with its place there; all others stay. `name` is the table's.

    Errors: `BadFile` naming all that is wrong; `PreviewIsOld` where it would change something else than was `previewed`;
    `PlanTooLarge`; `NotNow` once the campaign is over.
    """
    stored = _compared(_held(campaign, at), rows, void)
    if previewed and stored.digest != previewed:
        raise PreviewIsOld
    stored.report.store()
    if stored.report.changed:
        details = {"changes": stored.report.changes}
        record(SCENARIOS_IMPORTED, by=by, campaign=campaign.slug, about=name, details=details)
    return stored


def _compared(campaign: Campaign, rows: Sequence[Placed], void: Collection[int]) -> Stored:
    before, report = _state(campaign), LoadReport()
    skills = _compare(campaign, rows, report)
    _compare_plan(campaign, skills, report, void)
    digest = hashlib.sha256(repr((before, [spec for _place, spec in rows], report.changes)).encode()).hexdigest()
    return Stored(report, digest)


@transaction.atomic
def remove_scenario(*, scenario: Scenario, by: Person | None, at: datetime, void: Collection[int] = ()) -> None:
    """Takes the scenario and what has not begun of it out of the campaign. Errors: `IsNeeded`, `NotNow`."""
    campaign = _held(scenario.campaign, at)
    if scenario.has_begun():
        raise IsNeeded
    key = scenario.key
    remove_with_plan(scenario)
    if not campaign.free_choice:
        redraw_smaller(campaign, void)
    record(SCENARIO_REMOVED, by=by, campaign=campaign.slug, about=key)


def _held(campaign: Campaign, at: datetime) -> Campaign:
    """The campaign's row, held until the commit: no dialogue is opened about what is being changed."""
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return campaign


def _compare_plan(campaign: Campaign, skills: Mapping[str, str], report: LoadReport, void: Collection[int]) -> None:
    """The plan over the scenarios that there will be, drawn later. Errors: `PlanTooLarge`."""
    if not campaign.free_choice:
        ground = replace(ground_of(campaign), skills=dict(sorted(skills.items())))
        compare_drawing(campaign, ground, standing_of(campaign, void), report, void)


def _state(campaign: Campaign) -> list[dict[str, Any]]:
    return [scenario_document(one) for one in campaign.scenarios.declared().prefetch_related("subtasks")]


def _compare(campaign: Campaign, rows: Sequence[Placed], report: LoadReport) -> dict[str, str]:
    """The skill of each scenario that testers will talk about. Errors: `BadFile`."""
    _check(campaign, rows, report)
    report.refuse()
    stored = {one.key: one for one in campaign.scenarios.declared().prefetch_related("subtasks")}
    last = max((one.position for one in stored.values()), default=0)
    for number, (place, spec) in enumerate(rows, start=1):
        if spec.key in stored:
            _change(campaign, stored[spec.key], spec, place, report)
        else:
            stored[spec.key] = _add(campaign, spec, last + number, report)
    report.refuse()
    return {one.key: one.skill for one in stored.values() if not one.is_practice}


def _check(campaign: Campaign, rows: Sequence[Placed], report: LoadReport) -> None:
    """What a campaign file would be refused for, at the places of these rows."""
    found = Problems()
    rules: Mapping[str, Any] = {name: getattr(campaign, name) for name in RULES} | {"preset": campaign.preset}
    check_scenarios(CampaignSpec(slug=campaign.slug, settings=rules, scenarios=tuple(spec for _, spec in rows)), found)
    for problem in found.listed():
        head = problem.place.split(" ", 2)
        if head[0] == "[[scenarios]]" and len(head) == 3:
            report.add(replace(problem, place=under(rows[int(head[1]) - 1][0], head[2])))


def _add(campaign: Campaign, spec: ScenarioSpec, position: int, report: LoadReport) -> Scenario:
    shown, ruling = columns_of_scenario(spec)
    made = Scenario(campaign=campaign, key=spec.key, position=position, **shown, **ruling)
    report.later(partial(made.save, force_insert=True))
    report.later(partial(write_subtasks, made, _parts(campaign, spec)))
    report.add_change(gettext_noop("scenario %(key)s added"), key=spec.key)
    return made


def usual_cap(campaign: Campaign) -> int | None:
    """The preset's turn cap, of a subtask for which none is said; None where one cap spans the dialogue."""
    preset = PRESETS.get(campaign.preset)
    return preset.subtask_cap if preset and campaign.cap_per == "subtask" else None


def _parts(campaign: Campaign, spec: ScenarioSpec) -> list[tuple[str, int | None]]:
    usual = usual_cap(campaign)
    return [(one.kind, one.turn_cap or usual) for one in spec.subtasks]


def _change(campaign: Campaign, scenario: Scenario, spec: ScenarioSpec, place: str, report: LoadReport) -> None:
    shown, ruling = columns_of_scenario(spec)
    parts = _parts(campaign, spec)
    ruled = [name for name, value in ruling.items() if not are_same(getattr(scenario, name), value)]
    ruled += ["subtasks"] if parts_of(scenario) != parts else []
    if ruled and scenario.has_begun():
        for name in ruled:
            report.note(under(place, name), BEGUN)
        return
    n_before = len(report.changed)
    has_another_order = "facts" not in ruled and json.dumps(scenario.facts) != json.dumps(ruling["facts"])
    report.compare(scenario, shown | ruling, gettext_noop("scenario %(key)s: %(changed)s changed"), key=spec.key)
    if has_another_order:
        scenario.facts = ruling["facts"]
        report.later(partial(scenario.save, update_fields=["facts"]))
        report.add_change(gettext_noop("scenario %(key)s: order of the facts changed"), key=spec.key)
    if "subtasks" in ruled:
        report.later(partial(replace_subtasks, scenario, parts))
        report.add_change(gettext_noop("scenario %(key)s: subtasks changed"), key=spec.key)
    if len(report.changed) > n_before and scenario.origin != Origin.PAGE:
        # A file that is loaded later names this instead of taking it back.
        scenario.origin = Origin.PAGE
        report.later(partial(scenario.save, update_fields=["origin"]))
