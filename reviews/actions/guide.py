"""Chooses dialogues as examples of the scoring guide, and takes them out again."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from dialogues.models import Dialogue
from dialogues.trail_acts import of_dialogue
from dialogues.turn_taking import REVIEWABLE
from reviews.actions.checking import BadReview, NotReviewable, check_organizes
from reviews.actions.contents import locked
from reviews.actions.submitting import check_reason
from reviews.models import GoldReview, GuideExample, ReviewPlace
from reviews.rating_places import criterion_of
from reviews.trail_acts import EXAMPLE_ADDED, EXAMPLE_REMOVED
from rubrics.models import ScalePoint


@transaction.atomic
def add_example(
    *, dialogue: Dialogue, point: ScalePoint, turn: int | None, reason: str, by: Person, at: datetime
) -> GuideExample:
    """Makes a dialogue an example of the point; `reason` says why it has this score, `turn` is the turn that shows it.

    Chosen again for the same point, the new turn and reason hold. Errors: `NotYours`, `Interested`, `NotNow`, `NotReviewable`, `BadReview`.
    """
    dialogue = locked(dialogue)
    check_organizes(dialogue, by, at)
    if dialogue.status not in REVIEWABLE:
        raise NotReviewable(gettext_noop("Only a dialogue that is closed and counts can be an example."))
    check_reason(reason)
    wrong = _wrong_in(dialogue, point, turn)
    if wrong:
        raise BadReview(wrong)
    values = {"turn": turn, "reason": reason, "added_by": by, "added_at": at, "removed_at": None}
    size = {"panel_size": _panel_size(dialogue)}
    example, _created = GuideExample.objects.update_or_create(
        dialogue=dialogue, point=point, defaults=values, create_defaults=values | size
    )
    record(EXAMPLE_ADDED, by=by, at=at, because=reason, **of_dialogue(dialogue, **_said_of(point)))
    return example


@transaction.atomic
def remove_example(*, example: GuideExample, by: Person, at: datetime) -> None:
    """An example that reviewers may have read is kept as removed; others are deleted. Errors: `NotYours`, `Interested`, `NotNow`."""
    dialogue = locked(example.dialogue)
    check_organizes(dialogue, by, at)
    same = GuideExample.objects.filter(pk=example.pk)
    if same.maybe_read().exists():
        same.update(removed_at=at, reason="")
    else:
        same.delete()
    record(EXAMPLE_REMOVED, by=by, at=at, **of_dialogue(dialogue, **_said_of(example.point)))


def refuse_example(dialogue: Dialogue) -> None:
    """An example is not scored again: its reason would give the answer away, as it would afterwards to who has read it."""
    examples = GuideExample.objects.filter(dialogue=dialogue)
    if examples.in_guide().exists():
        raise NotReviewable(
            gettext_noop("This dialogue is an example of the scoring guide: take it out of the guide first.")
        )
    if examples.exists():
        raise NotReviewable(
            gettext_noop(
                "Reviewers may have read this dialogue in the scoring guide: nobody is asked to score it any more."
            )
        )


def _panel_size(dialogue: Dialogue) -> int:
    campaign = dialogue.assignment.campaign
    if not GoldReview.objects.filter(dialogue=dialogue).exists():
        done = ReviewPlace.objects.filter(dialogue=dialogue, is_gold=False, done_at__isnull=False)
        # `maybe_read` counts the reviews of programs even where they stand apart.
        return campaign.panel_size + done.count() - done.that_fill(campaign).count()
    return GuideExample.ASKED_AS_GOLD if campaign.asks_gold else 0


def _wrong_in(dialogue: Dialogue, point: ScalePoint, turn: int | None) -> dict[str, str]:
    """Reviewers are measured against gold, so an example never says otherwise."""
    wrong: dict[str, str] = {}
    if turn is not None and not dialogue.turns.filter(number=turn).exists():
        wrong["turn"] = _("The dialogue has no such turn.")
    gold = GoldReview.objects.filter(dialogue=dialogue).first()
    ratings = gold.content["ratings"].items() if gold else ()
    given = {value for rating, value in ratings if criterion_of(rating) == point.criterion.key}
    if given and (point.key or point.score) not in given:
        wrong["point"] = _("Its gold score is different: %(scores)s.") % {
            "scores": ", ".join(map(str, sorted(given, key=str)))
        }
    return wrong


def _said_of(point: ScalePoint) -> dict[str, str]:
    return {"criterion": point.criterion.key, "score": point.key or str(point.score)}
