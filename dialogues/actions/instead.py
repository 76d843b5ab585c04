"""Opens what a tester can do instead of a dialogue whose bot fails or pauses."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from dialogues.actions.opening import NotOffered, open_dialogue, resume_or_open_chosen_dialogue
from dialogues.another import another_assignment, another_bot
from dialogues.models import Dialogue
from dialogues.progress import assignment_rows


@transaction.atomic
def open_instead(*, dialogue: Dialogue, tester: Person, at: datetime) -> Dialogue:
    """A dialogue of the next assignment in the drawn order, or with another bot about the same where testers choose.

    Errors: as for `open_dialogue`; `NotOffered` where nothing else can be begun.
    """
    campaign = dialogue.assignment.campaign
    row = another_assignment(assignment_rows(tester, campaign, at=at), dialogue)
    if row is not None:
        return open_dialogue(assignment=row.assignment, at=at)
    entry = another_bot(campaign, tester, dialogue, at)
    if entry is None:
        raise NotOffered(gettext_noop("Nothing else can be begun now."))
    scenario = dialogue.assignment.scenario
    return resume_or_open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)
