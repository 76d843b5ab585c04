"""How reviewers score gold dialogues: who may begin with the panel's, and how each drifts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, When

from accounts.models import Person
from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews.counting_rules import exact_share
from reviews.models import GoldReview, GuideExample, Review, ReviewChange, ReviewPlace

# As `Dialogue.talker_id`.
TALKER_OF_GOLD = Case(When(dialogue__origin=Dialogue.Origin.LIVE, then=F("dialogue__tester")))


@dataclass(frozen=True, slots=True)
class GoldTry:
    """A hand-in on a gold dialogue: how many of its gold scores were given exactly, and by how many points the others differ."""

    reviewer_id: int
    dialogue_id: Any
    is_for_training: bool
    at: datetime
    n_exact: int
    n_scores: int
    differences: dict[str, int]


@dataclass(frozen=True, slots=True)
class Training:
    """`n_exact` of the `n_scores` given so far are those of the gold; `gave_back`: some of it could not be judged."""

    n_done: int
    n_total: int
    has_passed: bool
    n_exact: int = 0
    n_scores: int = 0
    gave_back: bool = False


def gold_tries(campaign: Campaign, reviewers: Collection[int] | None = None) -> list[GoldTry]:
    """Every submitted try on a gold dialogue of the campaign, or those of the `reviewers`, the oldest first: two queries."""
    gold = {one.dialogue_id: one for one in GoldReview.objects.filter(dialogue__assignment__campaign=campaign)}
    current = ReviewChange.objects.filter(
        review__dialogue__in=list(gold), review__part=Review.Part.GOLD, review__is_submitted=True,
        version=F("review__version"),
    ).order_by("at", "pk")  # fmt: skip
    if reviewers is not None:
        current = current.filter(review__reviewer__in=reviewers)
    rows = current.values_list("review__reviewer", "review__dialogue", "at", "after")
    return [_try(gold[dialogue], reviewer, at, (after or {})["ratings"]) for reviewer, dialogue, at, after in rows]


def _try(gold: GoldReview, reviewer_id: int, at: datetime, given: dict[str, Any]) -> GoldTry:
    wanted = gold.content["ratings"]
    n_exact, n_scores = exact_share(wanted, given)
    differences = {
        key: given[key] - score
        for key, score in wanted.items()
        if isinstance(score, int) and isinstance(given.get(key), int)
    }
    return GoldTry(reviewer_id, gold.dialogue_id, gold.is_for_training, at, n_exact, n_scores, differences)


def trainings(campaign: Campaign, reviewers: Iterable[int]) -> dict[int, Training]:
    """Where each reviewer stands; seven queries whatever their number. Without training or gold for it, all have passed.

    Who has begun with the panel's dialogues has passed, whatever gold is added later. Gold that somebody could not judge,
    or adjudicated, or that is of a bot in which they have an interest, is not asked of them; who gave all of it back has not passed.
    """
    reviewers = list(reviewers)
    percent = campaign.training_pass_percent
    if percent is None:
        return {reviewer: Training(0, 0, has_passed=True) for reviewer in reviewers}
    team, interests = "dialogue__assignment__entry__bot__team", Interests(campaign)
    # Nobody is asked for what they may have read.
    asked = training_gold(campaign).exclude(
        dialogue__in=GuideExample.objects.of_campaign(campaign).maybe_read().values("dialogue")
    )
    gold = list(asked.values_list("dialogue", TALKER_OF_GOLD, "set_by", team))
    given_back = ReviewPlace.objects.filter(
        dialogue__in=[pk for pk, *_ in gold], released_because=ReviewPlace.Released.CANNOT_JUDGE
    )
    not_judged = set(given_back.values_list("dialogue", "reviewer"))
    gave_back = {reviewer for _dialogue, reviewer in not_judged}
    tries: dict[int, list[GoldTry]] = {}
    for one in gold_tries(campaign, reviewers):
        if one.is_for_training:
            tries.setdefault(one.reviewer_id, []).append(one)
    tried = {(one.dialogue_id, reviewer) for reviewer, own in tries.items() for one in own}
    not_asked = not_judged | adjudicated_in(campaign) | tried
    panel = ReviewPlace.objects.of_campaign(campaign).filter(is_gold=False, opened_at__isnull=False)
    begun = set(panel.values_list("reviewer", flat=True))
    return {
        reviewer: _training(
            tries.get(reviewer, []),
            sum(
                reviewer not in (talker, set_by)
                and (dialogue, reviewer) not in not_asked
                and not interests.bars(reviewer, team)
                for dialogue, talker, set_by, team in gold
            ),
            percent,
            has_begun=reviewer in begun,
            gave_back=reviewer in gave_back,
        )
        for reviewer in reviewers
    }


def _training(tries: list[GoldTry], n_left: int, percent: int, *, has_begun: bool, gave_back: bool) -> Training:
    """What was scored counts, even where it is asked of nobody since; `n_left` is asked and not scored yet."""
    n_exact, n_scores = sum(one.n_exact for one in tries), sum(one.n_scores for one in tries)
    is_good = 100 * n_exact >= percent * n_scores and (n_scores > 0 or not gave_back)
    has_passed = has_begun or (n_left == 0 and is_good)
    return Training(len(tries), len(tries) + n_left, has_passed, n_exact, n_scores, gave_back)


def adjudicated_in(campaign: Campaign, among: Collection[Any] | None = None) -> set[tuple[Any, int]]:
    """Each dialogue that was adjudicated, with who did: their one review of it is that, so they score it in no other part."""
    adjudicated = Review.objects.filter(part=Review.Part.ADJUDICATION, is_submitted=True)
    if among is not None:
        adjudicated = adjudicated.filter(dialogue__in=among)
    return set(adjudicated.filter(dialogue__assignment__campaign=campaign).values_list("dialogue", "reviewer"))


def training_gold(campaign: Campaign) -> Any:
    return GoldReview.objects.filter(dialogue__assignment__campaign=campaign, is_for_training=True)


def training_of(campaign: Campaign, reviewer: Person) -> Training:
    return trainings(campaign, [reviewer.pk])[reviewer.pk]


def reviewers_of(campaign: Campaign) -> list[int]:
    """Those who may score something: an interest bars members of teams, of all dialogues unless the campaign says otherwise."""
    reviewers = Interests(campaign).judging(Role.REVIEWER).reviewers()
    return list(reviewers.order_by("person").values_list("person", flat=True))


def paused_reviewers(campaign: Campaign) -> set[int]:
    roles = campaign.roles.filter(role=Role.REVIEWER).exclude(paused_at=None)
    return set(roles.values_list("person", flat=True))
