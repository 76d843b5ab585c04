"""Draws dialogues for a judge, and stores what it answered."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from math import ceil
from typing import Any

from django.db import transaction
from django.db.models import F

from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from campaigns.planning.interleaving import lot
from dialogues.models import Dialogue
from judging.models import Judge, JudgeReport, JudgeReview
from judging.sampling import content_of_samples, means_of_samples
from judging.trail_acts import JUDGE_DRAWN
from language_models.refusals import ModelRefusal
from reviews.actions import submit_review
from reviews.actions.checking import NotYours
from reviews.actions.contents import Conflict
from reviews.actions.placing import draw_review_places
from reviews.models import ReviewPlace
from serving.refused import Refused


@dataclass(slots=True)
class Judgement:
    """What comes of asking about one dialogue. With `failed_because` there was an answer that could not be used; `stopped_by` cut it before its end."""

    samples: list[Mapping[str, Any]] = field(default_factory=list)
    failed_because: str = ""
    stopped_by: ModelRefusal | None = None
    n_asked: int = 0
    n_refused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    speaks_to_judge: bool = False

    def count(self, tokens_in: int, tokens_out: int, cost: Decimal) -> None:
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.cost += cost


def counts(judge: Judge) -> bool:
    """Whether the judge's scores are handed in as reviews."""
    return judge.campaign.programs_count and judge.account_id is not None


def draw_for_judge(*, judge: Judge, at: datetime) -> int:
    """Draws what is missing of the judge's dialogues; gives how many. Nothing that was drawn goes.

    Where scores of judges count the judge has places like anybody, and those are what it gets; what it judged before it had one is
    handed in. Else the judge's own seed decides which share of all dialogues that can be scored it gets, and in which order.
    """
    refuse_if_ended(judge.campaign, at)
    if counts(judge):
        draw_review_places(campaign=judge.campaign, at=at)
        places = ReviewPlace.objects.filter(reviewer=judge.account_id).to_do()
        waiting = JudgeReview.objects.filter(
            judge=judge, variant="", is_submitted=False, dialogue__in=places.values("dialogue")
        )
        for review in waiting.done().select_related("judge__account", "dialogue"):
            _hand_in(review, at)
    return _store(judge, wanted_by(judge), "", at)


def wanted_by(judge: Judge) -> list[Any]:
    """The ids of the dialogues that the judge is to score, in its order."""
    if counts(judge):
        places = ReviewPlace.objects.of_campaign(judge.campaign).held().filter(reviewer=judge.account_id)
        return list(places.order_by("position", "pk").values_list("dialogue", flat=True))
    found = Dialogue.objects.of_campaign(judge.campaign).reviewable().order_by().values_list("pk", flat=True)
    in_order = sorted(found, key=lambda pk: lot(judge.seed, judge.key, pk))
    return in_order[: ceil(len(in_order) * judge.share / 100)]


def draw_variants(*, judge: Judge, variants: Mapping[str, Sequence[Any]], at: datetime) -> int:
    """Draws the dialogues of each variant of the prompt, which were judged unchanged before."""
    refuse_if_ended(judge.campaign, at)
    return sum(_store(judge, dialogues, variant, at) for variant, dialogues in variants.items())


@transaction.atomic
def _store(judge: Judge, dialogues: Sequence[Any], variant: str, at: datetime) -> int:
    Judge.objects.select_for_update().get(pk=judge.pk)
    own = JudgeReview.objects.filter(judge=judge, variant=variant)
    known = set(own.values_list("dialogue", flat=True))
    new = [pk for pk in dialogues if pk not in known]
    JudgeReview.objects.bulk_create(
        (
            JudgeReview(judge=judge, dialogue_id=pk, variant=variant, position=len(known) + place, drawn_at=at)
            for place, pk in enumerate(new, start=1)
        ),
        batch_size=500,
    )
    if new:
        details = {"n": len(new), "variant": variant}
        record(JUDGE_DRAWN, by=None, at=at, campaign=judge.campaign.slug, about=judge.name, details=details)
    return len(new)


@transaction.atomic
def add_cost(*, review: JudgeReview, cost: Decimal) -> None:
    """Adds what a judgement that was cut has cost. Its answers come from the ledger for nothing, with their tokens, when it is asked again."""
    JudgeReview.objects.filter(pk=review.pk).update(cost=F("cost") + cost)


@transaction.atomic
def store_judgement(*, review: JudgeReview, judgement: Judgement, at: datetime) -> JudgeReview:
    """Stores what the judge answered, and hands it in where scores of judges count. A stored judgement stays as it is."""
    review = JudgeReview.objects.select_for_update(of=("self",)).select_related("judge__campaign").get(pk=review.pk)
    if review.state == JudgeReview.State.DONE:
        return review
    review.state = JudgeReview.State.FAILED if judgement.failed_because else JudgeReview.State.DONE
    review.failed_because, review.judged_at = judgement.failed_because, at
    review.n_asked += judgement.n_asked
    review.n_refused += judgement.n_refused
    review.tokens_in += judgement.tokens_in
    review.tokens_out += judgement.tokens_out
    review.cost += judgement.cost
    review.speaks_to_judge = judgement.speaks_to_judge
    if not judgement.failed_because:
        review.samples = judgement.samples
        review.content, review.means = content_of_samples(judgement.samples), means_of_samples(judgement.samples)
    review.save()
    if review.state == JudgeReview.State.DONE and not review.variant and counts(review.judge):
        _hand_in(review, at)
    return review


def _hand_in(review: JudgeReview, at: datetime) -> None:
    """Where the judge has a place there. Outside of reviewers' hours the scores wait: the next run hands them in."""
    account, content = review.judge.account, review.content
    places = ReviewPlace.objects.filter(dialogue=review.dialogue_id, reviewer=account).to_do()
    if account is None or content is None or not places.exists():
        return
    with suppress(Refused, NotYours, Conflict), transaction.atomic():
        review.review = submit_review(
            dialogue=review.dialogue, reviewer=account, ratings=content["ratings"], verdicts=content["verdicts"],
            evidence=content["evidence"], comment="", based_on_version=0, at=at,
        )  # fmt: skip
        review.is_submitted = True
        review.save(update_fields=["review", "is_submitted"])


@transaction.atomic
def retry_failed(*, judge: Judge, at: datetime) -> int:
    """Puts what failed back among what is to do; gives how many."""
    failed = JudgeReview.objects.filter(judge=judge, state=JudgeReview.State.FAILED)
    return failed.update(state=JudgeReview.State.TO_DO, judged_at=None, failed_because="")


@transaction.atomic
def store_report(*, judge: Judge, content: Mapping[str, Any], at: datetime) -> JudgeReport:
    """Stores the comparison with people in place of the one before."""
    stored, _made = JudgeReport.objects.update_or_create(
        judge=judge, defaults={"content": dict(content), "computed_at": at}
    )
    return stored
