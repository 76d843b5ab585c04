"""The organizer's page of a panel's agreement: stored figures (`reviews/agreement.py`) beside the names of today."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from leaderboards import explanations
from leaderboards.live_board import scored_criteria, stored_boards
from leaderboards.models import ImportedRecord, StoredBoard
from look.plots import shade_of
from measures.live import record_of
from reviews.agreement import MOST_IN_PAIRS, agreement_figures, fits, unsaid_figures
from rubrics.models import Criterion

if TYPE_CHECKING:
    from measures.crossed import Crossed


AGREEMENT = "agreement"
LEVELS = {"nominal": _("labels: equal or not"), "ordinal": _("a scale: by its order")}


@dataclass(frozen=True, slots=True)
class PairCell:
    """The share of the things both scored that two reviewers scored equal; None where they are too few. `other` is the column's head."""

    other: str
    share: float | None
    n: int

    @property
    def shade(self) -> int | None:
        return None if self.share is None else shade_of(self.share)


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion, its figures, those of each reviewer on it (name and figures), and each reviewer's agreement with each other one.

    No agreement of too few things is among them. `may_get_more`: several may score the same thing by the settings of today.
    """

    criterion: Criterion
    figures: dict[str, Any]
    reviewers: list[tuple[str, dict[str, Any]]]
    may_get_more: bool
    pairs: list[tuple[str, list[PairCell]]] = field(default_factory=list)

    @property
    def level(self) -> str:
        return str(LEVELS[self.figures["level"]])

    @property
    def is_compared(self) -> bool:
        return is_compared(self.figures)

    @property
    def n_missing(self) -> int:
        return n_missing(self.figures)

    @property
    def most_in_pairs(self) -> int | None:
        """Up to how many reviewers are compared pair by pair, where there are more of them."""
        return MOST_IN_PAIRS if len(self.reviewers) > MOST_IN_PAIRS else None

    @property
    def is_scale(self) -> bool:
        return bool(self.figures["level"] != "nominal")


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A reviewer against gold: name, figures of all scales, and those of each criterion."""

    name: str
    figures: dict[str, Any]
    criteria: list[tuple[Criterion, dict[str, Any]]]

    @property
    def n_lines(self) -> int:
        return 1 + len(self.criteria)


def of_several() -> Q:
    """The campaigns in which several may score the same thing: a panel does, or records were imported."""
    imported = ImportedRecord.objects.filter(campaign=OuterRef("pk"))
    return Q(reviewed_by__in=["panel", "both"]) | Q(Exists(imported))


def has_agreement(campaign: Campaign) -> bool:
    return campaign.panels_score or campaign.imported_records.exists()


def stored_agreement(campaign: Campaign) -> StoredBoard:
    """What was computed last."""
    return stored_boards(campaign, AGREEMENT)[0]


def criteria_rows(campaign: Campaign, stored: dict[str, Any]) -> list[CriterionRow]:
    """The criteria that were scored, in the order of the rubric."""
    figures, names = stored.get("criteria", {}), _names(stored)
    may_get_more = campaign.panel_size > 1 or campaign.imported_records.exists()
    return [
        CriterionRow(
            criterion,
            told,
            _named(told["reviewers"], names),
            may_get_more,
            _pairs(told.get("pairs", {}), names),
        )
        for criterion in campaign.rubric.criteria.all()
        if criterion.key in figures
        for told in [_told(figures[criterion.key])]
    ]


def _told(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures of a criterion without those of agreement, where too few things were scored by several: of a few, it is chance."""
    if not n_missing(figures):
        return figures
    each = figures["reviewers"].items()
    reviewers = {person: own | {"agreement": None, "alpha_without": None} for person, own in each}
    return figures | {"alpha": None, "kappa": None, "raw": None, "reviewers": reviewers}


def _pairs(found: dict[str, dict[str, list[Any]]], names: dict[str, str]) -> list[tuple[str, list[PairCell]]]:
    """A row and a column per reviewer, in the order of their names."""
    if not 2 <= len(found) <= MOST_IN_PAIRS:
        return []
    in_order = sorted((names.get(person, "–"), person) for person in found)
    return [
        (name, [_cell(other, *found[person].get(column, (None, 0))) for other, column in in_order])
        for name, person in in_order
    ]


def _cell(other: str, share: float | None, n: int) -> PairCell:
    return PairCell(other, share if n >= explanations.FEWEST else None, n)


def is_compared(figures: dict[str, Any]) -> bool:
    """Whether the scores of a criterion were compared; there may be too many of them (`reviews/agreement.py`)."""
    return figures["n_shared"] is not None


def n_missing(figures: dict[str, Any]) -> int:
    """How many more things must be scored by several until anything is told of their agreement: of a few, it is chance."""
    n = figures.get("n_shared")
    return 0 if n is None else max(0, explanations.FEWEST - n)


def agreed(stored: dict[str, Any]) -> dict[str, float]:
    """Krippendorff's alpha of each criterion of which enough things are scored by several."""
    figures = stored.get("criteria", {})
    return {key: row["alpha"] for key, row in figures.items() if row.get("alpha") is not None and not n_missing(row)}


def reviewer_rows(stored: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """How many dialogues each reviewer scored, and at what pace."""
    return _named(stored.get("reviewers", {}), _names(stored))


def conduct_rows(stored: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What of each reviewer's scores is a reason to look: `conduct_of` in `reviews/agreement.py`."""
    return _named(stored.get("conduct", {}), _names(stored))


def gold_rows(campaign: Campaign, stored: dict[str, Any]) -> list[GoldRow]:
    """How far each reviewer is from gold, on all scales together and on each."""
    criteria = list(campaign.rubric.criteria.all())
    return [
        GoldRow(
            name, figures, [(one, figures["criteria"][one.key]) for one in criteria if one.key in figures["criteria"]]
        )
        for name, figures in _named(stored.get("gold", {}), _names(stored))
    ]


def _names(stored: dict[str, Any]) -> dict[str, str]:
    ids = {**stored.get("reviewers", {}), **stored.get("gold", {})}
    people = Person.objects.filter(pk__in=ids).values_list("pk", "username")
    return {str(pk): name for pk, name in people}


def _named(figures: dict[str, dict[str, Any]], names: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    return sorted((names.get(person, "–"), row) for person, row in figures.items())


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
