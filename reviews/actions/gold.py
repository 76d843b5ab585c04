"""Sets the scores that reviewers are measured against, before their queue opens or mixed into it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions import note_changed_scores
from dialogues.models import Dialogue
from dialogues.trail_acts import of_dialogue
from dialogues.turn_taking import REVIEWABLE
from reviews.actions.checking import CheckedReview, NotReviewable, Part, check_organizes, check_review
from reviews.actions.contents import NOTHING_CHOSEN, content_of, key_of, locked, said_of
from reviews.actions.guide import refuse_example
from reviews.models import GoldReview, Review
from reviews.trail_acts import GOLD_SET


@transaction.atomic
def set_gold(
    *,
    dialogue: Dialogue,
    organizer: Person,
    at: datetime,
    is_for_training: bool = True,
    content: Mapping[str, Any] | None = None,
) -> GoldReview:
    """Makes a dialogue gold by the organizer's own scores (`content`, as a hand-in), or by those of its adjudicator.

    No panel scores it from then on; what was handed in counts as before. Set again, the new scores hold. Errors: `NotYours`,
    `Interested`, `NotReviewable` (an example of the guide, too), `BadReview`.
    """
    dialogue = locked(dialogue)
    check_organizes(dialogue, organizer, at)
    if dialogue.status not in REVIEWABLE:
        raise NotReviewable(gettext_noop("Only a dialogue that is closed and counts can be gold."))
    refuse_example(dialogue)
    values = {
        "content": _adjudicated(dialogue) if content is None else _checked(dialogue, content),
        "is_for_training": is_for_training,
        "set_by": organizer,
        "set_at": at,
    }
    gold, _created = GoldReview.objects.update_or_create(dialogue=dialogue, defaults=values)
    # How far reviewers are from gold is stored like a board; the campaign's row comes last.
    note_changed_scores(campaign=dialogue.assignment.campaign)
    record(
        GOLD_SET, by=organizer, at=at, **of_dialogue(dialogue, for_training=is_for_training, own=content is not None)
    )
    return gold


def _adjudicated(dialogue: Dialogue) -> dict[str, Any]:
    review = Review.objects.filter(dialogue=dialogue, part=Part.ADJUDICATION, is_submitted=True).first()
    if review is None:
        raise NotReviewable(gettext_noop("Nobody has adjudicated this dialogue: give the scores yourself."))
    return content_of(review)


def _checked(dialogue: Dialogue, content: Mapping[str, Any]) -> dict[str, Any]:
    said = NOTHING_CHOSEN | dict(content)
    return content_as_stored(
        check_review(dialogue, said["ratings"], said["verdicts"], said["comment"], said["evidence"])
    )


def content_as_stored(checked: CheckedReview) -> dict[str, Any]:
    """Checked scores in the shape of the audit trail; labels by their keys."""
    return {
        "ratings": {key_of(rating): said_of(rating) for rating in checked.ratings},
        "evidence": {key_of(one): one.evidence_turn for one in checked.ratings if one.evidence_turn is not None},
        "verdicts": {str(index): is_finished for index, is_finished in checked.verdicts.items()},
        "comment": checked.comment,
    }
