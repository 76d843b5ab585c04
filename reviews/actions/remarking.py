"""Says of a dialogue that its bot's maker shows, or that it cannot be judged; the latter gives the place back."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from dialogues.acts import of_dialogue
from dialogues.models import Dialogue
from reviews.actions.capacities import WITH_PLACE, NotReviewable, check_is_time, check_may_review
from reviews.actions.checking import BadReview, check_comment
from reviews.actions.contents import locked
from reviews.actions.reserving import release_place
from reviews.acts import REMARK_MADE
from reviews.models import Remark, Review, ReviewPlace


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
