"""The scoring guide, page and API: each criterion with its points, and dialogues as examples of them.

Organizers choose examples (`guide_examples.py`); a criterion without any has the training dialogues with their gold scores. A reviewer
sees an example once the dialogue can no longer come to them to be scored, so that it never says what they are asked; organizers who
score nothing see all. No system is named.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypedDict
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.access import Access, person_of
from accounts.models import Person
from api.describing import describes
from campaigns.access import RolesView, for_roles, roles_of
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from reviews.actions.submitting import REVIEWER_WINDOW_S
from reviews.models import (
    Dispute,
    GoldReview,
    GuideExample,
    GuideExampleQuerySet,
    Review,
    ReviewPlace,
    RevisionRequest,
    SecondReading,
    Vetting,
)
from reviews.rating_places import criterion_of, turn_of
from reviews.review_page import Mark, Shown
from reviews.sheet import turn_of_sheet
from reviews.training import training_gold
from rubrics.models import Criterion
from testing_console.score_axis import shown

# Training dialogues fill the guide up to this number; what organizers chose is never left out.
MOST_EXAMPLES = 20
SCORING = frozenset({Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT})
READERS = (*sorted(SCORING), Role.ORGANIZER)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the guide shows to somebody: dialogues, of which the first is example 1, and what each is an example of; `comments` are those of gold."""

    masker: Masker
    dialogues: Sequence[UUID]
    marks: Sequence[Mark]
    comments: Mapping[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A dialogue, by its number in the guide; its words are masked. `comment` is why it was scored so as gold."""

    number: int
    dialogue: UUID
    turns: Sequence[Mapping[str, Any]]
    comment: str


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


def marks_for(campaign: Campaign, person: Person, at: datetime) -> Marks:
    """What the guide shows the person at that time: chosen examples first, then training dialogues. The number of queries is constant."""
    masker = masker_of(masked_words(campaign))
    examples, golden = _seen_by(person, campaign, at)
    order = list(dict.fromkeys(one.dialogue_id for one in examples))
    order += [one.dialogue_id for one in golden if one.dialogue_id not in order][: max(0, MOST_EXAMPLES - len(order))]
    if not order:
        return Marks(masker, [], [])
    numbers = {dialogue: number for number, dialogue in enumerate(order, start=1)}
    marks = list(_chosen_marks(examples, numbers, masker))
    has_chosen = {mark.criterion for mark in marks}
    marks += [mark for mark in _gold_marks(golden, numbers) if mark.criterion not in has_chosen]
    comments = {one.dialogue_id: masker.mask(one.content.get("comment", "")) for one in golden}
    return Marks(masker, order, marks, comments)


def _seen_by(person: Person, campaign: Campaign, at: datetime) -> tuple[list[GuideExample], list[GoldReview]]:
    """The chosen examples and the training gold that the person may read."""
    barred = barred_entries(person)
    chosen = GuideExample.objects.of_campaign(campaign).in_guide().exclude(dialogue__assignment__entry__in=barred)
    chosen = chosen.filter(dialogue__in=Dialogue.objects.reviewable()).select_related("point__criterion")
    gold = training_gold(campaign).exclude(dialogue__assignment__entry__in=barred).order_by("set_at", "pk")
    roles = roles_of(person, campaign)
    if roles & SCORING or Role.ORGANIZER not in roles:
        chosen = readable(chosen, campaign, person, at)
        gold = gold.filter(dialogue__in=final_reviews(person, at).filter(part=Review.Part.GOLD).values("dialogue"))
    return list(chosen), list(gold[:MOST_EXAMPLES])


def _chosen_marks(examples: Sequence[GuideExample], numbers: Mapping[UUID, int], masker: Masker) -> Iterator[Mark]:
    for one in examples:
        shown = Shown(numbers[one.dialogue_id], one.turn, masker.mask(one.reason))
        yield Mark(one.point.criterion.key, one.point.key or one.point.score, shown)


def _gold_marks(golden: Sequence[GoldReview], numbers: Mapping[UUID, int]) -> Iterator[Mark]:
    for one in golden:
        evidence = one.content.get("evidence", {})
        for rating, value in one.content["ratings"].items():
            if one.dialogue_id in numbers:
                shown = Shown(numbers[one.dialogue_id], evidence.get(rating, turn_of(rating)))
                yield Mark(criterion_of(rating), value, shown)


def final_reviews(person: Person, at: datetime) -> QuerySet[Review]:
    """The person's reviews that they handed in and can no longer undo."""
    handed_in = Review.objects.filter(reviewer=person, is_submitted=True)
    return handed_in.filter(submitted_at__lte=at - timedelta(seconds=REVIEWER_WINDOW_S))


def readable(examples: GuideExampleQuerySet, campaign: Campaign, person: Person, at: datetime) -> GuideExampleQuerySet:
    """Those of dialogues that can no longer come to the person to be scored, decided or vetted."""
    of_dialogue = {"dialogue": OuterRef("dialogue")}
    own = Review.objects.filter(**of_dialogue, reviewer=person)
    again = SecondReading.objects.filter(review__in=Review.objects.filter(reviewer=person))
    pending = (
        ReviewPlace.objects.to_do().filter(**of_dialogue, reviewer=person),
        own.exclude(pk__in=final_reviews(person, at).values("pk")),
        again.filter(review__dialogue=OuterRef("dialogue")).exclude(
            done_at__lte=at - timedelta(seconds=REVIEWER_WINDOW_S)
        ),
        RevisionRequest.objects.filter(
            Q(is_granted=None) | Q(is_granted=True, used_at=None),
            review__reviewer=person,
            review__dialogue=OuterRef("dialogue"),
        ),
    )
    for rows in pending:
        examples = examples.exclude(Exists(rows))
    examples = examples.exclude(dialogue__in=disputed_in(campaign))
    if campaign.testers_score:
        # Testers may change the scores of their own dialogues until the results are published.
        examples = examples.exclude(dialogue__in=Dialogue.objects.of_tester(person))
    has_scored = Exists(own.filter(part__in=[Review.Part.PANEL, Review.Part.GOLD], is_submitted=True))
    return examples.filter(has_scored | Q(pk__in=at_rest(campaign)))


def disputed_in(campaign: Campaign) -> QuerySet[Dispute, Any]:
    """The ids of the dialogues whose disputes wait for a decision."""
    found = Dispute.objects.filter(dialogue__assignment__campaign=campaign, settled_at=None)
    return found.values("dialogue")


def at_rest(campaign: Campaign) -> GuideExampleQuerySet:
    """The examples of dialogues that come to nobody any more: their panel is whole or closed, they are accepted, and not asked for as gold."""
    found = GuideExample.objects.of_campaign(campaign).in_guide().exclude(dialogue__in=disputed_in(campaign))
    if campaign.experts_per_dialogue:
        found = found.filter(dialogue__in=Vetting.objects.dialogues_accepted_in(campaign))
    return found.filter(dialogue__in=GuideExample.objects.of_campaign(campaign).maybe_read().values("dialogue"))


def examples_of(marks: Marks) -> list[Example]:
    """The dialogues of the marks with their turns, in two queries."""
    found = Dialogue.objects.prefetch_related("turns").in_bulk(marks.dialogues)
    return [
        Example(
            number,
            dialogue,
            [turn_of_sheet(turn, marks.masker, with_latency=False) for turn in found[dialogue].turns.all()],
            marks.comments.get(dialogue, ""),
        )
        for number, dialogue in enumerate(marks.dialogues, start=1)
    ]


def guide_of(campaign: Campaign, marks: Marks) -> list[GuidedCriterion]:
    given: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks.marks:
        given[mark.criterion].append(mark)
    return [
        GuidedCriterion(one.letter, one.name, one.text("question"), _points(one, given[one.key]))
        for one in campaign.rubric.criteria.prefetch_related("points")
    ]


def _points(criterion: Criterion, marks: Sequence[Mark]) -> list[GuidedPoint]:
    points = sorted(
        criterion.points.all(), key=lambda point: point.score, reverse=criterion.kind == Criterion.Kind.SCALE
    )
    return [
        GuidedPoint(
            point.key or shown(point.score),
            point.label,
            list(dict.fromkeys(mark.shown for mark in marks if mark.value == (point.key or point.score))),
        )
        for point in points
    ]


@for_roles(*READERS)
@require_GET
def guide(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    marks = marks_for(campaign, person_of(request), timezone.now())
    page = {
        "campaign": campaign,
        "examples": examples_of(marks),
        "criteria": guide_of(campaign, marks),
        "may_choose": Role.ORGANIZER in roles_of(request.user, campaign),
    }
    return render(request, "reviews/guide.html", page)


class ShownAnswer(TypedDict):
    """`reason` is empty where no organizer chose the example."""

    example: int
    turn: int | None
    reason: str


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
        "Gives the criteria with their points and examples, of dialogues that one can no longer be asked to score",
        GuideAnswer,
    )
    def get(self, request: Request) -> dict[str, Any]:
        marks = marks_for(self.campaign, person_of(request), timezone.now())
        return {"criteria": guide_of(self.campaign, marks), "examples": examples_of(marks)}
