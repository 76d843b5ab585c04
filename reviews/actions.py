"""What can be done with reviews."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import has_role
from campaigns.actions import note_changed_scores
from campaigns.models import Role
from reviews.models import Rating, Review, ReviewChange, SubtaskVerdict
from rubrics.models import Criterion, Rubric
from rubrics.scales import COMMENT_LIMIT, OffScale, accept_score
from scoring.storable import is_storable
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus, SubtaskStatus

SCORE_SHOWN = 60


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
    """Somebody submitted a newer version in between; `current` is what is stored."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} is stored")
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
    review, _created = Review.objects.get_or_create(dialogue=dialogue, reviewer=reviewer)
    before = content_of(review) if review.is_submitted else None
    if review.version != based_on_version:
        raise Conflict(review.version, before or {})
    replace_content(review, check_review(dialogue, ratings, verdicts, comment))
    review.is_submitted, review.submitted_at = True, at
    review.version += 1
    review.save()
    ReviewChange.objects.create(
        review=review, version=review.version, changed_by=reviewer, at=at, before=before, after=content_of(review)
    )
    if dialogue.tester_id == reviewer.pk and dialogue.scored_at is None:
        dialogue.scored_at = at
        dialogue.save(update_fields=["scored_at"])
    # Last, since every reviewer of the campaign waits for this row until the commit.
    note_changed_scores(campaign=dialogue.assignment.campaign)
    return review


def replace_content(review: Review, checked: "CheckedReview") -> None:
    """Puts ratings and verdicts in the place of those of the version before; the comment is saved with the review."""
    review.ratings.all().delete()
    Rating.objects.bulk_create(
        Rating(review=review, criterion=criterion, score=score, lowest=scale[0], highest=scale[-1])
        for criterion, scale, score in checked.scores
    )
    review.verdicts.all().delete()
    SubtaskVerdict.objects.bulk_create(
        SubtaskVerdict(review=review, subtask=index, is_finished=is_finished)
        for index, is_finished in checked.verdicts.items()
    )
    review.comment = checked.comment


def check_may_review(dialogue: Dialogue, reviewer: Person) -> None:
    """In this version the tester scores the dialogue they had, while they are a tester of the campaign."""
    if dialogue.tester_id != reviewer.pk or not has_role(reviewer, dialogue.assignment.campaign, Role.TESTER):
        raise NotYours
    if dialogue.status == DialogueStatus.OPEN:
        raise NotReviewable(_("The dialogue is still open: end it first."))
    if dialogue.status == DialogueStatus.VOID:
        raise NotReviewable(_("The dialogue is void, because the platform failed: it is not scored."))


@dataclass(frozen=True, slots=True)
class CheckedReview:
    """A complete review: every criterion with its scale and score, every subtask finished or not."""

    scores: list[tuple[Criterion, list[int], int]]
    verdicts: dict[int, bool]
    comment: str


def check_review(
    dialogue: Dialogue, ratings: Mapping[str, Any], verdicts: Mapping[str, Any], comment: str
) -> CheckedReview:
    """The review if it is complete and on its scales. Errors: `BadReview` with every field that is wrong."""
    wrong: dict[str, str] = {}
    checked = CheckedReview(
        check_ratings(dialogue.assignment.campaign.rubric, ratings, wrong),
        check_verdicts(dialogue, verdicts, wrong),
        check_comment(comment, wrong),
    )
    if wrong:
        raise BadReview(wrong)
    return checked


def check_ratings(
    rubric: Rubric, ratings: Mapping[str, Any], wrong: dict[str, str]
) -> list[tuple[Criterion, list[int], int]]:
    criteria = list(rubric.criteria.prefetch_related("points"))
    scores = []
    for criterion in criteria:
        scale, place = criterion.scores(), f"ratings.{criterion.key}"
        if criterion.key not in ratings:
            wrong[place] = _("A score is missing.")
            continue
        score = ratings[criterion.key]
        try:
            scores.append((criterion, scale, accept_score(score, scale)))
        except OffScale:
            wrong[place] = _("%(score)s is not on the scale %(lowest)s…%(highest)s.") % {
                "score": repr(score)[:SCORE_SHOWN], "lowest": scale[0], "highest": scale[-1],
            }  # fmt: skip
    for key in ratings.keys() - {criterion.key for criterion in criteria}:
        wrong[f"ratings.{key}"] = _("This rubric has no such criterion.")
    return scores


def check_verdicts(dialogue: Dialogue, verdicts: Mapping[str, Any], wrong: dict[str, str]) -> dict[int, bool]:
    """Where the reviewer says nothing of a subtask, the verdict is what the ledger says."""
    finished = {}
    subtasks = {str(subtask.index): subtask for subtask in dialogue.subtasks.all()}
    for index, subtask in subtasks.items():
        verdict = verdicts.get(index, subtask.status == SubtaskStatus.FINISHED)
        if isinstance(verdict, bool):
            finished[subtask.index] = verdict
        else:
            wrong[f"verdicts.{index}"] = _("A verdict is true or false.")
    for index in verdicts.keys() - subtasks.keys():
        wrong[f"verdicts.{index}"] = _("The dialogue has no such subtask.")
    return finished


def check_comment(comment: str, wrong: dict[str, str]) -> str:
    if len(comment) > COMMENT_LIMIT:
        wrong["comment"] = _("The comment has %(n)s characters; %(limit)s are the most.") % {
            "n": len(comment), "limit": COMMENT_LIMIT,
        }  # fmt: skip
    elif not is_storable(comment):
        wrong["comment"] = _("The comment holds a character that cannot be stored (NUL or half a surrogate pair).")
    return comment


def content_of(review: Review) -> dict[str, Any]:
    """The review as the audit trail keeps it."""
    return {
        "ratings": {rating.criterion.key: rating.score for rating in review.ratings.select_related("criterion")},
        "verdicts": {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()},
        "comment": review.comment,
    }
