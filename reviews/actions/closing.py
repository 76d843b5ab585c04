"""Closes a panel with fewer reviews than the campaign asks for, and reopens it; the rows of both are the audit."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from dialogues.models import Dialogue
from dialogues.trail_acts import of_dialogue
from reviews.actions.checking import NotReviewable, check_organizes
from reviews.actions.contents import locked
from reviews.actions.counting import recount, tend_dispute
from reviews.actions.guide import refuse_example
from reviews.actions.submitting import check_reason
from reviews.models import ClosedPanel, Review, ReviewPlace
from reviews.panel_gaps import lacking_panels
from reviews.places_plan import panel_dialogues
from reviews.trail_acts import PANEL_CLOSED, PANEL_REOPENED


@transaction.atomic
def close_panel(*, dialogue: Dialogue, organizer: Person, because: str, at: datetime) -> ClosedPanel:
    """Declares the panel complete with the reviews it has: no reviewer is drawn for it, and the rule of disputes holds.

    Expired places cannot be reclaimed from then on; drafts stay. Errors: `NotYours`, `Interested`, `NotNow`, `NotReviewable` (no panel, no review,
    already whole or closed, or somebody may still score it), `BadReview` (no reason).
    """
    dialogue = locked(dialogue)
    check_organizes(dialogue, organizer, at)
    check_reason(because)
    n_reviews = _check_may_close(dialogue, at)
    _let_go(dialogue, at)
    closed = ClosedPanel.objects.create(
        dialogue=dialogue, n_reviews=n_reviews, because=because, closed_by=organizer, closed_at=at
    )
    _follow(dialogue, at)
    record(PANEL_CLOSED, by=organizer, at=at, because=because, **of_dialogue(dialogue, n_reviews=n_reviews))
    return closed


@transaction.atomic
def reopen_panel(*, dialogue: Dialogue, organizer: Person, at: datetime) -> ClosedPanel:
    """Makes the panel wait for the campaign's number of reviews again. Errors: `NotYours`, `Interested`, `NotNow`, `NotReviewable` (not closed, or an example of the guide)."""
    dialogue = locked(dialogue)
    check_organizes(dialogue, organizer, at)
    closed = dialogue.closed_panels.in_force().first()
    if closed is None:
        raise NotReviewable(gettext_noop("This panel is not closed."))
    refuse_example(dialogue)
    closed.reopened_by, closed.reopened_at = organizer, at
    closed.save(update_fields=["reopened_by", "reopened_at"])
    _follow(dialogue, at)
    record(PANEL_REOPENED, by=organizer, at=at, **of_dialogue(dialogue))
    return closed


def _check_may_close(dialogue: Dialogue, at: datetime) -> int:
    """The number of reviews that the panel has."""
    campaign = dialogue.assignment.campaign
    if not panel_dialogues(campaign).filter(pk=dialogue.pk).exists():
        raise NotReviewable(gettext_noop("No panel scores this dialogue."))
    if dialogue.closed_panels.in_force().exists():
        raise NotReviewable(gettext_noop("This panel is closed."))
    n_reviews = Review.objects.of_panel(campaign).filter(dialogue=dialogue).count()
    if n_reviews == 0:
        raise NotReviewable(gettext_noop("Nobody of the panel has scored this dialogue: there is nothing to count."))
    if n_reviews >= campaign.reviewers_per_dialogue:
        raise NotReviewable(gettext_noop("This panel has all its reviews."))
    to_do = ReviewPlace.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=at), dialogue=dialogue, is_gold=False
    ).to_do()
    if names := to_do.order_by("reviewer__username").values_list("reviewer__username", flat=True):
        raise NotReviewable(gettext_noop("Still to be scored by %(names)s."), names=", ".join(names))
    lacking = next((one for one in lacking_panels(campaign, at) if one.dialogue.pk == dialogue.pk), None)
    if lacking is not None and lacking.gap.n_to_draw:
        raise NotReviewable(gettext_noop("The next drawing finds somebody for this panel."))
    return n_reviews


def _let_go(dialogue: Dialogue, at: datetime) -> None:
    """Expired places are released for good: a late review would change the panel that was closed."""
    places = ReviewPlace.objects.filter(dialogue=dialogue, is_gold=False, done_at=None)
    because = ReviewPlace.Released.CLOSED
    places.held().update(released_at=at, released_because=because)
    places.filter(released_because=ReviewPlace.Released.EXPIRED).update(released_because=because)


def _follow(dialogue: Dialogue, at: datetime) -> None:
    tend_dispute(dialogue, at)
    recount(dialogue)
