"""Hands in a review, undoes that within its time, asks for a revision later, and remarks; the audit trail keeps all of it."""

from collections.abc import Mapping
from datetime import datetime
from math import ceil
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from audit.trail_acts import TrailAct
from dialogues.models import Dialogue
from dialogues.trail_acts import of_dialogue
from reviews.actions.checking import (
    WITH_PLACE,
    BadReview,
    NotReviewable,
    Part,
    check_comment,
    check_is_time,
    check_may_hand_in_again,
    check_may_review,
    check_may_revise,
    check_organizes,
    check_review,
)
from reviews.actions.contents import (
    conflict_with,
    content_of,
    drop_content,
    finish_place,
    locked,
    release_place,
    reopen_place,
    replace_content,
    review_for,
    save_next_version,
)
from reviews.actions.counting import note_settled, recount, tend_dispute
from reviews.models import Remark, Review, ReviewChange, ReviewPlace, RevisionRequest
from reviews.rating_places import criterion_of
from reviews.trail_acts import (
    REMARK_MADE,
    REVISION_ASKED,
    REVISION_GRANTED,
    REVISION_REFUSED,
    SCORES_ADJUDICATED,
    SCORES_HANDED_IN,
    SCORES_REVISED,
    SCORES_UNDONE,
)
from serving.refused import Refused

# A tester goes on with the next dialogue at once; a reviewer may think a score over.
OWN_WINDOW_S = 10
REVIEWER_WINDOW_S = 600
HAND_INS = (ReviewChange.Kind.HANDED_IN, ReviewChange.Kind.REVISED)
NO_EVIDENCE: Mapping[str, Any] = {}


def seconds_to_undo(handed_in_at: datetime, at: datetime, window_s: int = OWN_WINDOW_S) -> int:
    """The whole seconds that are left, counting the one that has begun; 0 when the window is over."""
    left = window_s - (at - handed_in_at).total_seconds()
    # A clock that was set back since the hand-in does not make the window longer.
    return min(window_s, max(0, ceil(left)))


def record_scores(dialogue: Dialogue, review: Review, change: ReviewChange) -> None:
    """Comes last in the transaction, after the campaign's row."""
    said = of_dialogue(
        dialogue,
        review=review.pk,
        version=change.version,
        part=str(review.part),
        changed=changed_criteria(change.before, change.after),
        digest=change.digest,
    )
    record(_act_of(review, change), by=change.changed_by, at=change.at, because=change.reason, **said)


def _act_of(review: Review, change: ReviewChange) -> TrailAct:
    if change.kind == ReviewChange.Kind.UNDONE:
        return SCORES_UNDONE
    if review.part == Review.Part.ADJUDICATION:
        return SCORES_ADJUDICATED
    is_first = change.kind == ReviewChange.Kind.HANDED_IN and change.before is None
    return SCORES_HANDED_IN if is_first else SCORES_REVISED


def changed_criteria(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[str]:
    """The keys of the criteria whose scores or evidence differ, and "verdicts" where those do."""
    was, now = before or {}, after or {}
    differing = {
        criterion_of(key)
        for part in ("ratings", "evidence")
        for key in {*was.get(part, {}), *now.get(part, {})}
        if was.get(part, {}).get(key) != now.get(part, {}).get(key)
    }
    has_other_verdicts = was.get("verdicts", {}) != now.get("verdicts", {})
    return [*sorted(differing), *(["verdicts"] if has_other_verdicts else [])]


class TooLate(Refused):
    """The time in which a hand-in can be undone is over; the message says what is left."""

    code = "too_late"


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
    evidence: Mapping[str, Any] = NO_EVIDENCE,
) -> Review:
    """Stores the reviewer's complete scores of a closed dialogue, with the change in the audit trail.

    `ratings` maps rating keys (`rating_places.py`) to scores and labels, `evidence` to turns; `verdicts` maps subtask
    indices ("1", "2" …) to finished or not, and may be left out where the ledger already says it. `based_on_version` is
    the version that the reviewer saw (0: none). The draft is dropped. Errors: `NotYours`, `NotReviewable`, `NotNow`, `BadReview`
    (every wrong field), `Conflict`.
    """
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    review = review_for(dialogue, reviewer, part)
    if review.version != based_on_version:
        raise conflict_with(review)
    if review.is_submitted:
        check_may_hand_in_again(review, dialogue)
    before = content_of(review) if review.is_submitted else None
    kind, reason = _use_revision(review, at)
    replace_content(review, check_review(dialogue, ratings, verdicts, comment, evidence))
    review.is_submitted, review.submitted_at = True, at
    change = save_next_version(review, kind, reviewer, before, at, reason)
    if part in WITH_PLACE:
        finish_place(dialogue, reviewer, at)
    _note_change(dialogue, review, at)
    record_scores(dialogue, review, change)
    return review


@transaction.atomic
def undo_submission(*, dialogue: Dialogue, reviewer: Person, version: int, at: datetime) -> Review:
    """Takes back the hand-in that made `version`: what was stored before it holds again, what was handed in is a draft.

    Only within the undo time (`undo_window_s`); both changes stay in the audit trail. Errors: `NotYours`,
    `NotReviewable`, `Conflict` (another version is stored, or nothing), `TooLate`.
    """
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    check_may_revise(dialogue)
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first()
    if review is None:
        raise NotReviewable(gettext_noop("Nothing was handed in."))
    last = review.changes.filter(version=version, kind__in=HAND_INS).first()
    if last is None or review.version != version:
        raise conflict_with(review)
    if seconds_to_undo(last.at, at, undo_window_s(review)) == 0:
        raise TooLate(too_late_message(review))
    handed_in = content_of(review)
    _put_back(review, dialogue, last.before)
    review.draft = handed_in
    change = save_next_version(review, ReviewChange.Kind.UNDONE, reviewer, handed_in, at)
    review.revision_requests.filter(used_at=last.at).update(used_at=None)
    if not review.is_submitted and part in WITH_PLACE:
        reopen_place(dialogue, reviewer, at)
    _note_change(dialogue, review, at)
    record_scores(dialogue, review, change)
    return review


def too_late_message(review: Review) -> str:
    if review.part == Part.SELF:
        return _("It is too late to undo. You can still revise the scores.")
    return _("It is too late to undo. Ask for a revision and say why.")


def undo_window_s(review: Review) -> int:
    return OWN_WINDOW_S if review.part == Part.SELF else REVIEWER_WINDOW_S


def _use_revision(review: Review, at: datetime) -> tuple[str, str]:
    """What the hand-in is called in the trail, and why it was allowed; a granted request is used up by it."""
    request = review.revision_requests.filter(is_granted=True, used_at=None).first() if review.is_submitted else None
    if request is None:
        return ReviewChange.Kind.HANDED_IN, ""
    request.used_at = at
    request.save(update_fields=["used_at"])
    return ReviewChange.Kind.REVISED, request.reason


def _put_back(review: Review, dialogue: Dialogue, before: dict[str, Any] | None) -> None:
    """The content of the version before the last one, or none where that was the first."""
    if before is None:
        drop_content(review)
        review.is_submitted, review.submitted_at = False, None
        return
    checked = check_review(dialogue, before["ratings"], before["verdicts"], before["comment"], before["evidence"])
    replace_content(review, checked)
    review.submitted_at = handed_in_before(review) or review.submitted_at


def handed_in_before(review: Review) -> datetime | None:
    """When the scores were handed in that hold again once the last hand-in is undone: those that were undone themselves never do."""
    standing: list[datetime] = []
    for kind, at in review.changes.filter(version__lt=review.version).values_list("kind", "at"):
        if kind in HAND_INS:
            standing.append(at)
        elif standing:
            standing.pop()
    return standing[-1] if standing else None


def _note_change(dialogue: Dialogue, review: Review, at: datetime) -> None:
    """What follows from changed scores: the tester's list, the dispute, what counts; the campaign's row comes last, but for the trail."""
    _note_own_scores(dialogue, review)
    note_settled(dialogue, review, at)
    tend_dispute(dialogue, at)
    recount(dialogue)
    review.refresh_from_db(fields=["is_counted"])


def _note_own_scores(dialogue: Dialogue, review: Review) -> None:
    """A tester's dialogue is done once they scored it; a revision keeps the time of the first hand-in."""
    if review.part != Part.SELF or (dialogue.scored_at is not None) == review.is_submitted:
        return
    dialogue.scored_at = review.submitted_at
    dialogue.save(update_fields=["scored_at"])


@transaction.atomic
def request_revision(*, dialogue: Dialogue, reviewer: Person, reason: str, at: datetime) -> RevisionRequest:
    """Asks the organizers to let one's scores be changed. Errors: `NotYours`, `NotReviewable`, `NotNow`, `BadReview` (no reason)."""
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    check_may_revise(dialogue)
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer, is_submitted=True).first()
    if review is None:
        raise NotReviewable(gettext_noop("Nothing was handed in."))
    if part == Part.SELF:
        raise NotReviewable(gettext_noop("You may revise the scores of your own dialogue without asking."))
    if review.revision_requests.filter(used_at=None).exclude(is_granted=False).exists():
        raise NotReviewable(gettext_noop("You have asked for a revision already."))
    check_reason(reason)
    asked = RevisionRequest.objects.create(review=review, reason=reason, asked_at=at)
    record(REVISION_ASKED, by=reviewer, at=at, because=reason, **of_dialogue(dialogue, review=review.pk))
    return asked


@transaction.atomic
def answer_revision(*, request: RevisionRequest, organizer: Person, is_granted: bool, at: datetime) -> RevisionRequest:
    """Grants or refuses a revision. Errors: `NotYours`, `Interested`, `NotReviewable` (it was answered, or results are published)."""
    dialogue = locked(request.review.dialogue)
    check_organizes(dialogue, organizer, at)
    request = RevisionRequest.objects.select_related("review__reviewer").get(pk=request.pk)
    if request.is_granted is not None:
        raise NotReviewable(gettext_noop("This request was answered."))
    if is_granted:
        check_may_revise(dialogue)
    request.is_granted, request.answered_by, request.answered_at = is_granted, organizer, at
    request.save(update_fields=["is_granted", "answered_by", "answered_at"])
    act = REVISION_GRANTED if is_granted else REVISION_REFUSED
    said = of_dialogue(dialogue, review=request.review_id, reviewer=request.review.reviewer.username)
    record(act, by=organizer, at=at, **said)
    return request


def check_reason(reason: str) -> None:
    """A reason has at least one character to read. Errors: `BadReview`."""
    wrong: dict[str, str] = {}
    if not reason.strip():
        wrong["reason"] = _("Say why.")
    check_comment(reason, wrong, "reason")
    if wrong:
        raise BadReview(wrong)


@transaction.atomic
def add_remark(*, dialogue: Dialogue, reviewer: Person, kind: str, text: str, at: datetime) -> Remark:
    """Stores the remark for the organizers; a second one of its kind takes the place of the first.

    Who cannot judge a dialogue is not asked again, and another reviewer is drawn. Errors: `NotYours`, `NotReviewable`,
    `BadReview`.
    """
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    check_remark(kind, text)
    if kind == Remark.Kind.CANNOT_JUDGE:
        _give_back(dialogue, reviewer, part, at)
    return save_remark(Remark(dialogue=dialogue, reviewer=reviewer, kind=kind, text=text, at=at))


def save_remark(said: Remark) -> Remark:
    """Comes last in the transaction, after the campaign's row."""
    whose = {name: getattr(said, name) for name in ("dialogue", "reviewer", "kind", "is_again")}
    text = {"text": said.text, "at": said.at, "settled_at": None}
    remark, _created = Remark.objects.update_or_create(**whose, defaults=text)
    record(REMARK_MADE, by=said.reviewer, at=said.at, **of_dialogue(said.dialogue, kind=said.kind))
    return remark


def check_remark(kind: str, text: str) -> None:
    """Errors: `BadReview`."""
    wrong: dict[str, str] = {}
    if kind not in Remark.Kind.values:
        wrong["kind"] = _("%(kind)s is not one of: %(kinds)s.") % {
            "kind": repr(kind)[:40],
            "kinds": ", ".join(Remark.Kind.values),
        }
    check_comment(text, wrong, "text")
    if wrong:
        raise BadReview(wrong)


def _give_back(dialogue: Dialogue, reviewer: Person, part: str, at: datetime) -> None:
    if part not in WITH_PLACE:
        raise NotReviewable(gettext_noop("Nobody else can review it instead of you: say why in the comment."))
    if Review.objects.filter(dialogue=dialogue, reviewer=reviewer, is_submitted=True).exists():
        raise NotReviewable(gettext_noop("These scores were handed in: undo that first."))
    release_place(ReviewPlace.objects.get(dialogue=dialogue, reviewer=reviewer), ReviewPlace.Released.CANNOT_JUDGE, at)
