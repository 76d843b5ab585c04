"""What can be done with reviews."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from campaigns.access import has_role
from campaigns.models import Role
from participants.models import Person
from participants.storable import is_storable
from reviews.models import Rating, Review, ReviewChange, SubtaskVerdict
from rubrics.models import Criterion
from rubrics.scales import OffScale, accept_score
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus

COMMENT_LIMIT = 4000


class BadReview(Exception):
    """The review cannot be taken as it is; `fields` says per field what is wrong."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in fields.items()))
        self.fields = fields


class NotReviewable(Exception):
    """The dialogue cannot be scored: it is open or void."""


class NotYours(Exception):
    """The dialogue is not this person's to score; that it exists is not their business."""


class Conflict(Exception):
    """Somebody submitted a newer version in between; `current` is what stands."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} stands")
        self.version = version
        self.current = current


@transaction.atomic
def submit_review(
    *,
    dialogue: Dialogue,
    reviewer: Person,
    ratings: Mapping[str, Any],
    verdicts: Mapping[str, Any],
    comment: str,
    based_on_version: int,
    at: datetime,
) -> Review:
    """Stores the reviewer's complete scores of a closed dialogue, with the change in the audit trail.

    `ratings` maps every criterion key of the rubric to a score; `verdicts` maps subtask indices ("1", "2" …) to
    finished or not, and may be left out where the ledger already says it. `based_on_version` is the version that the
    reviewer saw (0: none). Errors: `NotYours`, `NotReviewable`, `BadReview` (every wrong field), `Conflict`.
    """
    dialogue = Dialogue.objects.select_for_update(of=("self",)).with_names().get(pk=dialogue.pk)
    check_may_review(dialogue, reviewer)
    review, _ = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer)
    before = content_of(review) if review.is_submitted else None
    if review.version != based_on_version:
        raise Conflict(review.version, before or {})
    scores, finished = check_scores(dialogue, ratings, verdicts, comment)
    review.ratings.all().delete()
    Rating.objects.bulk_create(
        Rating(review=review, criterion=criterion, score=score, lowest=scale[0], highest=scale[-1])
        for criterion, scale, score in scores
    )
    review.verdicts.all().delete()
    SubtaskVerdict.objects.bulk_create(
        SubtaskVerdict(review=review, subtask=index, is_finished=is_finished) for index, is_finished in finished
    )
    review.comment, review.is_submitted = comment, True
    review.version, review.submitted_at = review.version + 1, at
    review.save()
    ReviewChange.objects.create(
        review=review, version=review.version, changed_by=reviewer, at=at, before=before, after=content_of(review)
    )
    if dialogue.tester_id == reviewer.pk and dialogue.scored_at is None:
        dialogue.scored_at = at
        dialogue.save(update_fields=["scored_at"])
    return review


def check_may_review(dialogue: Dialogue, reviewer: Person) -> None:
    """In this version the tester scores the dialogue they had, while they are a tester of the campaign."""
    if dialogue.tester_id != reviewer.pk or not has_role(reviewer, dialogue.assignment.campaign, Role.TESTER):
        raise NotYours
    if dialogue.status == DialogueStatus.OPEN:
        raise NotReviewable("The dialogue is still open: end it first.")
    if dialogue.status == DialogueStatus.VOID:
        raise NotReviewable("The dialogue is void, because the platform failed: it is not scored.")


def check_scores(
    dialogue: Dialogue, ratings: Mapping[str, Any], verdicts: Mapping[str, Any], comment: str
) -> tuple[list[tuple[Criterion, list[int], int]], list[tuple[int, bool]]]:
    """The scores and verdicts if all of them are complete and on their scales. Errors: `BadReview`."""
    wrong: dict[str, str] = {}
    rubric = dialogue.assignment.campaign.rubric
    scores = []
    for criterion in rubric.criteria.prefetch_related("points"):
        scale = criterion.scores()
        if criterion.key not in ratings:
            wrong[f"ratings.{criterion.key}"] = "A score is missing."
            continue
        try:
            scores.append((criterion, scale, accept_score(ratings[criterion.key], scale)))
        except OffScale as off:
            wrong[f"ratings.{criterion.key}"] = f"{off}."
    known = {criterion.key for criterion in rubric.criteria.all()}
    for key in ratings.keys() - known:
        wrong[f"ratings.{key}"] = "This rubric has no such criterion."
    finished = []
    subtasks = {str(subtask.index): subtask for subtask in dialogue.subtasks.all()}
    for index, subtask in subtasks.items():
        verdict = verdicts.get(index, subtask.status == "finished")
        if not isinstance(verdict, bool):
            wrong[f"verdicts.{index}"] = "A verdict is true or false."
        else:
            finished.append((subtask.index, verdict))
    for index in verdicts.keys() - subtasks.keys():
        wrong[f"verdicts.{index}"] = "The dialogue has no such subtask."
    if len(comment) > COMMENT_LIMIT or not is_storable(comment):
        wrong["comment"] = f"A comment has at most {COMMENT_LIMIT} characters."
    if wrong:
        raise BadReview(wrong)
    return scores, finished


def content_of(review: Review) -> dict[str, Any]:
    """The review as the audit trail keeps it."""
    return {
        "ratings": {rating.criterion.key: rating.score for rating in review.ratings.select_related("criterion")},
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()},
        "comment": review.comment,
    }
