"""The first dialogue of the demo, in which a guide says what to press."""

from datetime import datetime

from django.db.models import Count
from django.utils.translation import get_language

from accounts.models import Person
from campaigns.models import Assignment
from demo.people import GUIDED_BOT, GUIDED_IN_ENGLISH, SLUG
from dialogues.actions import open_dialogue
from dialogues.models import Dialogue


def open_guided_dialogue(*, person: Person, at: datetime) -> Dialogue | None:
    """A dialogue of one part in the page's language, with the bot that books all three kinds; None when all of them are scored."""
    campaign = GUIDED_IN_ENGLISH if get_language() == "en" else SLUG
    own = Assignment.objects.of_tester(person).filter(campaign__slug=campaign, entry__key=GUIDED_BOT)
    of_one_part = own.annotate(n_parts=Count("scenario__subtasks")).filter(n_parts=1)
    assignment = of_one_part.exclude(dialogues__scored_at__isnull=False).in_order().with_names().first()
    return open_dialogue(assignment=assignment, at=at) if assignment else None
