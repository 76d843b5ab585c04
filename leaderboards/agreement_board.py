"""The organizer's page of a panel's agreement: stored figures (`reviews/agreement.py`) beside the names of today."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from leaderboards.live_board import stored_boards
from leaderboards.models import ImportedRecord, StoredBoard
from rubrics.models import Criterion

AGREEMENT = "agreement"
LEVELS = {"nominal": _("labels: equal or not"), "ordinal": _("a scale: by its order")}


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion, its figures, and those of each reviewer on it: name and figures."""

    criterion: Criterion
    figures: dict[str, Any]
    reviewers: list[tuple[str, dict[str, Any]]]

    @property
    def level(self) -> str:
        return str(LEVELS[self.figures["level"]])

    @property
    def is_compared(self) -> bool:
        return is_compared(self.figures)

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
    return [
        CriterionRow(criterion, figures[criterion.key], _named(figures[criterion.key]["reviewers"], names))
        for criterion in campaign.rubric.criteria.all()
        if criterion.key in figures
    ]


def is_compared(figures: dict[str, Any]) -> bool:
    """Whether the scores of a criterion were compared; there may be too many of them (`reviews/agreement.py`)."""
    return figures["n_shared"] is not None


def agreed(stored: dict[str, Any]) -> dict[str, float]:
    """Krippendorff's alpha of each criterion that has one."""
    figures = stored.get("criteria", {})
    return {key: row["alpha"] for key, row in figures.items() if row.get("alpha") is not None}


def reviewer_rows(stored: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """How many dialogues each reviewer scored, and at what pace."""
    return _named(stored.get("reviewers", {}), _names(stored))


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
