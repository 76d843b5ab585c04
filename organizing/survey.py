"""What the organizer's pages read of a campaign, in a number of queries that does not grow with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from campaigns.actions import preview_drawing
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign, Entry
from campaigns.planning.plan_sizes import PlanTooLarge
from campaigns.planning.redrawing import Changes
from dialogues.queries import counted_statuses
from dialogues.turn_taking import DialogueStatus
from organizing.coverage_matrix import Fact, State
from reviews.models import ReviewPlace
from reviews.panel_gaps import FIRST_SHOWN, LackingPanel, ShortPanels, lacking_panels, shown_panels
from reviews.places_plan import panel_dialogues


@dataclass(frozen=True, slots=True)
class Survey:
    """Bots, scenarios and testers by their keys, what was done and is to do, and what a drawing would change.

    `people` are the testers and former testers who talked. `too_large` says why nothing can be drawn.
    """

    entries: dict[str, Entry]
    scenarios: dict[str, str]
    testers: list[str]
    people: list[str]
    facts: list[Fact]
    changes: Changes
    too_large: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The reviews of a campaign's panels: done and missing, of which scenarios, and the panels that nobody can fill."""

    facts: list[Fact]
    scenarios: dict[str, str]
    short: ShortPanels


def reviewed_of(campaign: Campaign, at: datetime) -> Reviewed | None:
    """None where no panel scores."""
    if not campaign.panels_score:
        return None
    lacking = lacking_panels(campaign, at)
    facts = review_facts(campaign, lacking)
    known = {fact.scenario for fact in facts}
    titles = {
        one.key: one.title for one in campaign.scenarios.all() if one.key in known or one.key != IMPORTED_SCENARIO
    }
    return Reviewed(facts, titles, shown_panels(lacking, most=FIRST_SHOWN))


def survey_of(campaign: Campaign) -> Survey:
    entries = {entry.key: entry for entry in campaign.entries.select_related("bot__team").order_by("alias")}
    testers = campaign.roles.testers().order_by("person__username")
    names = list(testers.values_list("person__username", flat=True))
    rows = list(
        campaign.assignments.order_by("pk").values_list(
            "pk", "tester__username", "entry__key", "scenario__key", "started_at", "is_drawn"
        )
    )
    statuses = counted_statuses(campaign)
    void = {pk for pk, *_, started_at, _drawn in rows if started_at is not None and pk not in statuses}
    changes, too_large = Changes(), ""
    try:
        changes = preview_drawing(campaign=campaign, void=void)
    except PlanTooLarge as large:
        too_large = str(large)
    gone = {row.id for row in changes.take_away}
    facts = [*_existing(rows, statuses, entries, set(names), gone), *_undrawn(changes)]
    talked = {fact.tester for fact in facts if fact.state in (State.DONE, State.OPEN)}
    return Survey(
        entries=entries,
        scenarios={scenario.key: scenario.title for scenario in campaign.scenarios.tested()},
        testers=names,
        people=[*names, *sorted(talked - set(names))],
        facts=facts,
        changes=changes,
        too_large=too_large,
    )


def _existing(
    rows: Sequence[tuple[int, str, str, str, object, bool]],
    statuses: dict[int, str],
    entries: dict[str, Entry],
    testers: set[str],
    gone: set[int],
) -> Iterator[Fact]:
    for pk, tester, bot, scenario, _, is_drawn in rows:
        entry = entries[bot]
        if pk in statuses:
            state = State.OPEN if statuses[pk] == DialogueStatus.OPEN else State.DONE
            yield Fact(tester, bot, scenario, state)
        elif is_drawn and tester in testers and entry.withdrawn_at is None and pk not in gone:
            yield Fact(tester, bot, scenario, State.LEFT, is_paused=entry.paused_at is not None)


def _undrawn(changes: Changes) -> Iterator[Fact]:
    for drawn in changes.add:
        yield Fact(drawn.tester, drawn.bot, drawn.scenario, State.UNDRAWN)
    for short in changes.short:
        for _ in range(short.n):
            yield Fact("", short.bot, short.scenario, State.SHORT)


def review_facts(campaign: Campaign, lacking: Sequence[LackingPanel]) -> list[Fact]:
    """One fact per review that is done or missing, in one query; a panel that was closed misses nothing."""
    return [*_done(campaign), *(fact for one in lacking for fact in _missing(one))]


def _done(campaign: Campaign) -> Iterator[Fact]:
    done = ReviewPlace.objects.filter(dialogue__in=panel_dialogues(campaign), is_gold=False, done_at__isnull=False)
    done = done.that_fill(campaign)
    for reviewer, bot, scenario in done.order_by().values_list(
        "reviewer__username", "dialogue__assignment__entry__key", "dialogue__assignment__scenario__key"
    ):
        yield Fact(reviewer, bot, scenario, State.DONE)


def _missing(one: LackingPanel) -> Iterator[Fact]:
    assignment = one.dialogue.assignment
    bot, scenario = assignment.entry.key, assignment.scenario.key
    for reviewer in one.at_work():
        yield Fact(reviewer, bot, scenario, State.OPEN if reviewer in one.begun else State.LEFT)
    for _ in range(one.gap.n_to_draw):
        yield Fact("", bot, scenario, State.COMING)
    for _ in range(one.gap.n_short):
        yield Fact("", bot, scenario, State.SHORT)
