"""What an adjudicator needs of a dialogue: the panel's reviews in a fixed order, and on what they are too far apart."""

from typing import Any

from dialogues.masking import masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from reviews.actions.contents import content_of
from reviews.models import Dispute, Review


def panel_contents(dialogue: Dialogue) -> list[dict[str, Any]]:
    """What each reviewer of the panel handed in, the reviewer unnamed and the bot's maker masked; ordered by who began first."""
    reviews = Review.objects.filter(dialogue=dialogue, part=Review.Part.PANEL, is_submitted=True).order_by("pk")
    masker = masker_of(masked_words(dialogue.assignment.campaign))
    contents = [content_of(review) for review in reviews]
    return [content | {"comment": masker.mask(content["comment"])} for content in contents]


def disputed_ratings(dialogue: Dialogue) -> dict[str, int]:
    """The ratings in dispute, with the distance in points."""
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    return dict(dispute.criteria) if dispute else {}
