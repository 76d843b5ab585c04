"""Whether the campaign's calendar and the bot's stage let a tester begin a dialogue, or go on in one that is open."""

from datetime import datetime

from campaigns.calendar import Calendar, Doing, NotNow, check_open
from campaigns.models import Campaign
from dialogues.turn_taking import Refusal, RefusalCode

# Whether no tester may talk to the `entry` of an `assignment`: it is a draft, with which its team alone may practise.
IS_DRAFT_TO_TESTERS = "entry.draft_since IS NOT NULL AND NOT assignment.is_practice"


class NotTestingNow(Refusal):
    """The campaign's dates do not allow it; `closed` says which of them."""

    def __init__(self, closed: NotNow) -> None:
        super().__init__(RefusalCode.NOT_NOW, closed.text)
        self.closed = closed

    @property
    def message(self) -> str:
        return self.closed.message


def refuse_unless_open(calendar: Calendar, doing: Doing, at: datetime) -> None:
    """Errors: `NotTestingNow`."""
    try:
        check_open(calendar, doing, at)
    except NotNow as closed:
        raise NotTestingNow(closed) from closed


def refuse_after_testing(assignment_id: int, at: datetime) -> None:
    """Errors: `NotTestingNow` once open dialogues may no longer go on."""
    refuse_unless_open(Campaign.objects.get(assignments=assignment_id), Doing.FINISH, at)
