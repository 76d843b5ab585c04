"""The first dialogue of the demo, in which a guide says what to press."""

from datetime import datetime

from django.db.models import Count

from accounts.models import Person
from campaigns.models import Assignment
from demo.people import GUIDED_BOT, SLUG
from testing_console.actions import open_dialogue
from testing_console.models import Dialogue


def open_guided_dialogue(*, person: Person, at: datetime) -> Dialogue | None:
    """A dialogue of one part with the bot that books all three kinds; None when all of them are scored."""
    own = Assignment.objects.of_tester(person).filter(campaign__slug=SLUG, entry__key=GUIDED_BOT)
    of_one_part = own.annotate(n_parts=Count("scenario__subtasks")).filter(n_parts=1)
    assignment = of_one_part.exclude(dialogues__scored_at__isnull=False).in_order().with_names().first()
    return open_dialogue(assignment=assignment, at=at) if assignment else None
