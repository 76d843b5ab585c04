"""Requests and answers revisions after the undo time; reports a dialogue that shows its bot's maker or cannot be judged."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.access import roles_of
from campaigns.actions.ended import refuse_if_ended
from campaigns.interests import check_interest
from campaigns.models import Role
from dialogues.acts import of_dialogue
from dialogues.models import Dialogue
from reviews.actions.capacities import (
    WITH_PLACE,
    NotReviewable,
    NotYours,
    Part,
    check_is_time,
    check_may_review,
    check_may_revise,
)
from reviews.actions.checking import BadReview, check_comment
from reviews.actions.contents import locked
from reviews.actions.drafting import release_place
from reviews.acts import REMARK_MADE, REVISION_ASKED, REVISION_GRANTED, REVISION_REFUSED
from reviews.models import Remark, Review, ReviewPlace, RevisionRequest


@transaction.atomic
def request_revision(*, dialogue: Dialogue, reviewer: Person, reason: str, at: datetime) -> RevisionRequest:
    """Asks the organizers to let one's scores be changed. Errors: `NotYours`, `NotReviewable`, `NotNow`, `BadReview` (no reason)."""
    dialogue = locked(dialogue)
    part = check_may_review(dialogue, reviewer)
    check_is_time(dialogue, part, at)
    check_may_revise(dialogue)
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer, is_submitted=True).first()
    if review is None:
        raise NotReviewable(_("Nothing was handed in."))
    if part == Part.SELF:
        raise NotReviewable(_("You may revise the scores of your own dialogue without asking."))
    if review.revision_requests.filter(used_at=None).exclude(is_granted=False).exists():
        raise NotReviewable(_("You have asked for a revision already."))
    check_reason(reason)
    asked = RevisionRequest.objects.create(review=review, reason=reason, asked_at=at)
    record(REVISION_ASKED, by=reviewer, at=at, because=reason, **of_dialogue(dialogue, review=review.pk))
    return asked


@transaction.atomic
def answer_revision(*, request: RevisionRequest, organizer: Person, is_granted: bool, at: datetime) -> RevisionRequest:
    """Grants or refuses a revision. Errors: `NotYours`, `Interested`, `NotReviewable` (it was answered, or results are published)."""
    dialogue = locked(request.review.dialogue)
    if Role.ORGANIZER not in roles_of(organizer, dialogue.assignment.campaign):
        raise NotYours
    check_interest(organizer, dialogue.assignment.entry_id)
    refuse_if_ended(dialogue.assignment.campaign, at)
    request = RevisionRequest.objects.select_related("review__reviewer").get(pk=request.pk)
    if request.is_granted is not None:
        raise NotReviewable(_("This request was answered."))
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
    _check(kind, text)
    if kind == Remark.Kind.CANNOT_JUDGE:
        _give_back(dialogue, reviewer, part, at)
    said = {"text": text, "at": at, "settled_at": None}
    remark, _created = Remark.objects.update_or_create(dialogue=dialogue, reviewer=reviewer, kind=kind, defaults=said)
    record(REMARK_MADE, by=reviewer, at=at, **of_dialogue(dialogue, kind=kind))
    return remark


def _check(kind: str, text: str) -> None:
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
        raise NotReviewable(_("Nobody else can review it instead of you: say why in the comment."))
    if Review.objects.filter(dialogue=dialogue, reviewer=reviewer, is_submitted=True).exists():
        raise NotReviewable(_("These scores were handed in: undo that first."))
    release_place(ReviewPlace.objects.get(dialogue=dialogue, reviewer=reviewer), ReviewPlace.Released.CANNOT_JUDGE, at)
