"""The scoring guide, page and API: each criterion with its points, and training dialogues whose gold scores are examples of them.

A reviewer sees an example once their own scores of it can no longer be undone, so that the training still measures them; organizers see
all. No system is named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.access import Access, person_of
from accounts.models import Person
from api.describing import describes
from campaigns.access import RolesView, for_roles, roles_of
from campaigns.models import Campaign, Role
from dialogues.masking import Masker, masker_of
from dialogues.queries import masked_words
from reviews.actions.submitting import REVIEWER_WINDOW_S
from reviews.models import GoldReview, Review
from reviews.rating_places import criterion_of, turn_of
from reviews.sheet import turn_of_sheet
from reviews.training import training_gold
from rubrics.models import Criterion

MOST_EXAMPLES = 20
READERS = (Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT, Role.ORGANIZER)


@dataclass(frozen=True, slots=True)
class Example:
    """A dialogue, by its number in the guide, and why it was scored so; its words are masked."""

    number: int
    turns: Sequence[Mapping[str, Any]]
    comment: str
    ratings: Mapping[str, int | str]
    evidence: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """An example of one point, and the turn that the score is of or that was pinned for it."""

    example: int
    turn: int | None


@dataclass(frozen=True, slots=True)
class GuidedPoint:
    score: str
    label: str
    examples: Sequence[Shown]


@dataclass(frozen=True, slots=True)
class GuidedCriterion:
    letter: str
    name: str
    question: str
    points: Sequence[GuidedPoint]


def examples_for(campaign: Campaign, person: Person, at: datetime) -> list[Example]:
    """Training dialogues, the first that were set in front: four queries, whatever their number."""
    gold = training_gold(campaign).order_by("set_at", "pk")
    if Role.ORGANIZER not in roles_of(person, campaign):
        scored = Review.objects.filter(reviewer=person, part=Review.Part.GOLD, is_submitted=True)
        final = scored.filter(submitted_at__lte=at - timedelta(seconds=REVIEWER_WINDOW_S))
        gold = gold.filter(dialogue__in=final.values("dialogue"))
    masker = masker_of(masked_words(campaign))
    found = gold.select_related("dialogue").prefetch_related("dialogue__turns")[:MOST_EXAMPLES]
    return [_example(number, one, masker) for number, one in enumerate(found, start=1)]


def _example(number: int, gold: GoldReview, masker: Masker) -> Example:
    turns = [turn_of_sheet(turn, masker, with_latency=False) for turn in gold.dialogue.turns.all()]
    said = gold.content
    return Example(number, turns, masker.mask(said.get("comment", "")), said["ratings"], said.get("evidence", {}))


def guide_of(campaign: Campaign, examples: Sequence[Example]) -> list[GuidedCriterion]:
    return [
        GuidedCriterion(one.letter, one.name, one.text("question"), _points(one, examples))
        for one in campaign.rubric.criteria.prefetch_related("points")
    ]


def _points(criterion: Criterion, examples: Sequence[Example]) -> list[GuidedPoint]:
    given = [
        (value, Shown(example.number, example.evidence.get(rating) or turn_of(rating)))
        for example in examples
        for rating, value in example.ratings.items()
        if criterion_of(rating) == criterion.key
    ]
    points = sorted(
        criterion.points.all(), key=lambda point: point.score, reverse=criterion.kind == Criterion.Kind.SCALE
    )
    return [
        GuidedPoint(
            (point.key or str(point.score)).replace("-", "−"),
            point.label,
            list(dict.fromkeys(shown for value, shown in given if value == (point.key or point.score))),
        )
        for point in points
    ]


@for_roles(*READERS)
@require_GET
def guide(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    examples = examples_for(campaign, person_of(request), timezone.now())
    shown = {"campaign": campaign, "examples": examples, "criteria": guide_of(campaign, examples)}
    return render(request, "reviews/guide.html", shown)


class ShownAnswer(TypedDict):
    example: int
    turn: int | None


class GuidedPointAnswer(TypedDict):
    score: str
    label: str
    examples: list[ShownAnswer]


class GuidedCriterionAnswer(TypedDict):
    letter: str
    name: str
    question: str
    points: list[GuidedPointAnswer]


class ExampleAnswer(TypedDict):
    """Turns as a review's sheet has them."""

    number: int
    comment: str
    turns: list[dict[str, Any]]


class GuideAnswer(TypedDict):
    criteria: list[GuidedCriterionAnswer]
    examples: list[ExampleAnswer]


class GuideOfCampaign(RolesView):
    access = Access("roles", READERS)

    @describes(
        "Gives the criteria with their points, and training dialogues that one has scored as examples", GuideAnswer
    )
    def get(self, request: Request) -> dict[str, Any]:
        examples = examples_for(self.campaign, person_of(request), timezone.now())
        return {"criteria": guide_of(self.campaign, examples), "examples": examples}
