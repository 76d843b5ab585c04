"""What an adjudicator needs of a dialogue: the panel's reviews in a fixed order, and on what they are too far apart."""

from typing import Any

from reviews.actions.contents import content_of
from reviews.models import Dispute, Review
from testing_console.models import Dialogue


def panel_contents(dialogue: Dialogue) -> list[dict[str, Any]]:
    """What each reviewer of the panel handed in, without a name; the order tells nothing but who began first."""
    reviews = Review.objects.filter(dialogue=dialogue, part=Review.Part.PANEL, is_submitted=True).order_by("pk")
    return [content_of(review) for review in reviews]


def disputed_ratings(dialogue: Dialogue) -> dict[str, int]:
    """The ratings in dispute, with the distance in points."""
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    return dict(dispute.criteria) if dispute else {}
