"""What imported records tell beside their figures: who scored the same thing, how far they agree, and of which kinds scenarios are."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from campaigns.models import Campaign
from leaderboards.live_board import scored_criteria
from leaderboards.models import ImportedRecord
from measures.record_lines import record_of
from reviews.agreement import agreement_figures, fits, unsaid_figures

if TYPE_CHECKING:
    from measures.crossed import Crossed

AT_ONCE = 1_000

# What was scored: the entry, its scenario, and the dialogue where the line names one.
Thing = tuple[str, ...]
Score = tuple[str, Thing, float]


def imported_scores(campaign: Campaign) -> Iterator[tuple[str, Score, Fraction]]:
    """Each score with its criterion, its reviewer and the thing that was scored, and the weight of its record."""
    stored = ImportedRecord.objects.filter(campaign=campaign).with_shares().order_by("pk")
    for entry, content, n_sharing in stored.values_list("entry_id", "content", "n_sharing").iterator(AT_ONCE):
        record = record_of(content, n_sharing)
        thing = str(entry), record.scenario, content.get("dialogue", "")
        for criterion, score in record.ratings.items():
            if isinstance(score, int | float):
                yield criterion, (record.reviewer, thing, float(score)), record.weight


def imported_agreement(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """By criterion how far the reviewers of imported records agree; nothing of each reviewer, since no line says when it was scored."""
    from measures.crossed import crossed

    wanted = {criterion.key for criterion in scored_criteria(campaign)}
    scores: dict[str, list[Score]] = defaultdict(list)
    for criterion, score, _weight in imported_scores(campaign):
        if criterion in wanted:
            scores[criterion].append(score)
    found = {}
    for criterion, own in scores.items():
        if not scores_fit(own):
            found[criterion] = unsaid_figures("ordinal", len(own))
            continue
        made: Crossed[str, Thing] = crossed(own)
        found[criterion] = agreement_figures(made.table, "ordinal") | {"reviewers": {}}
    return found


def scores_fit(scores: list[Score]) -> bool:
    """Whether the table of their reviewers × things is compared."""
    return fits(len({reviewer for reviewer, _, _ in scores}), len({thing for _, thing, _ in scores}))


def imported_kinds(campaign: Campaign) -> dict[str, str]:
    """The kinds of the scenarios of imported records, as their lines tell them; the longest list where a line has fewer subtasks."""
    found: dict[str, list[str]] = {}
    rows = ImportedRecord.objects.filter(campaign=campaign).order_by("pk").values_list("scenario", "content")
    for scenario, content in rows.iterator(AT_ONCE):
        kinds = [kind for subtask in content["subtasks"] if (kind := subtask.get("kind", ""))]
        if len(kinds) > len(found.get(scenario, ())):
            found[scenario] = kinds
    return {scenario: "+".join(kinds) for scenario, kinds in found.items()}
