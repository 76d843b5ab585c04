"""A board in parts: its figures per kind and skill of the scenarios, per tester and reviewer, and as an average reviewer would have scored.

Whole passes over the records, so they are computed beside the statistics and stored; pages read them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import Avg

from campaigns.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign, Scenario
from leaderboards.live_board import named, scored_criteria
from leaderboards.live_sums import Cell, People, sums_by_cell
from leaderboards.models import ImportedRecord, StoredBoard
from leaderboards.record_lines import record_of
from measures.live import LiveSums
from reviews.models import Rating
from testing_console.fault_policy import fault_policy_of
from testing_console.models import Dialogue

if TYPE_CHECKING:
    from measures.crossed import Crossed

SLICES = "slices"
# Reviewers × things rated that are fitted at once: 160 MB as numbers. Larger panels have no adjusted view.
LARGEST_TABLE = 20_000_000
AT_ONCE = 5_000

Sums = Mapping[Cell, LiveSums]


def stored_slices(campaign: Campaign) -> StoredBoard:
    """What was computed last; an empty one where nothing was yet."""
    return campaign.stored_boards.filter(key=SLICES).first() or StoredBoard(campaign=campaign, key=SLICES)


def slices_of(campaign: Campaign) -> dict[str, Any]:
    """`{"by": {"kind": {entry: {name: {"n", "figures"}}}, "skill", "tester", "reviewer"}, "severity": {criterion: …}}` as JSON."""
    criteria = [criterion.key for criterion in scored_criteria(campaign)]
    by_scenario = sums_by_cell(campaign, criteria)
    scenarios = {scenario.key: scenario for scenario in campaign.scenarios.prefetch_related("subtasks")}
    grouped = {
        "kind": regrouped(by_scenario, lambda key: group_of_kind(key, scenarios.get(key))),
        "skill": regrouped(by_scenario, lambda key: scenarios[key].skill if key in scenarios else ""),
        "tester": sums_by_cell(campaign, criteria, People.testers),
        "reviewer": sums_by_cell(campaign, criteria, People.reviewers),
    }
    return {
        "by": {name: _figures(sums, criteria) for name, sums in grouped.items()},
        "severity": {key: adjusted for key in criteria if (adjusted := severity_adjusted(campaign, key))},
    }


def kind_of(scenario: Scenario | None) -> str:
    """The kinds of a scenario's subtasks in their order; empty for one that has none, or is not known here."""
    return "+".join(subtask.kind for subtask in scenario.subtasks.all()) if scenario else ""


def group_of_kind(key: str, scenario: Scenario | None) -> str:
    """The kind of a scenario; one that only imported records know goes by its own key, imported dialogues without any by none."""
    return kind_of(scenario) or ("" if key.startswith(IMPORTED_SCENARIO) else key)


def regrouped(sums: Sums, group_of: Callable[[str], str]) -> Sums:
    """Cells added up by what their scenarios have in common; those without it are left out."""
    found: dict[Cell, LiveSums] = defaultdict(LiveSums)
    for (entry, key), cell in sums.items():
        if group := group_of(key):
            found[entry, group].add(cell)
    return found


def _figures(sums: Sums, criteria: list[str]) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    for (entry, name), cell in sorted(sums.items()):
        rows[str(entry)][name] = {"n": cell.n_records, "figures": named(cell.figures(criteria))}
    return rows


def severity_adjusted(campaign: Campaign, criterion: str) -> dict[str, Any] | None:
    """`{"severity": {reviewer: points}, "rows": {entry: [plain, adjusted]}}` of one criterion.

    None where no two reviewers scored the same thing, or the table is too large. A reviewer who shares none is not adjusted.
    """
    import numpy as np

    from measures.crossed import crossed
    from measures.reviewers import severities, without_severity

    scores = list(_scores(campaign, criterion))
    reviewers, things = {reviewer for reviewer, _, _ in scores}, {thing for _, thing, _ in scores}
    if len(reviewers) < 2 or len(reviewers) * len(things) > LARGEST_TABLE:
        return None
    made: Crossed[str, tuple[str, ...]] = crossed(scores)
    found = severities(made.table)
    if all(severity is None for severity in found):
        return None
    adjusted, is_given = without_severity(made.table), ~np.isnan(made.table)
    rows = {}
    for entry in sorted({thing[0] for thing in made.columns}, key=int):
        own = is_given & np.array([thing[0] == entry for thing in made.columns])
        rows[entry] = [float(made.table[own].mean()), float(adjusted[own].mean())]
    return {"severity": dict(zip(made.rows, found, strict=True)), "rows": rows}


def _scores(campaign: Campaign, criterion: str) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """Each record's score with its reviewer, and the thing that was scored: the entry and its dialogue, or where that was imported its scenario."""
    dialogues = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
    ratings = Rating.objects.filter(
        criterion__key=criterion, criterion__rubric=campaign.rubric_id, review__is_counted=True,
        review__dialogue__in=dialogues,
    ).order_by()  # fmt: skip
    # One number per review: a criterion that is scored per subtask or turn gives the mean.
    told = ratings.values_list(
        "review_id", "review__reviewer__username", "review__dialogue__assignment__entry", "review__dialogue"
    ).annotate(score=Avg("score"))
    for _, reviewer, entry, dialogue, score in told.iterator(AT_ONCE):
        yield reviewer, (str(entry), str(dialogue)), float(score)
    for entry, content in ImportedRecord.objects.filter(campaign=campaign).values_list("entry_id", "content"):
        record = record_of(content)
        score = record.ratings.get(criterion)
        if score is not None:
            yield record.reviewer, (str(entry), record.scenario, content.get("dialogue", "")), float(score)
