"""Whether the campaign's calendar lets a tester begin a dialogue, or go on in one that is open."""

from datetime import datetime

from campaigns.calendar import Calendar, Doing, NotNow, check_open
from campaigns.models import Campaign
from testing_console.turn_taking import Refusal, RefusalCode


class NotTestingNow(Refusal):
    """The campaign's dates do not allow it; `closed` says which of them."""

    def __init__(self, closed: NotNow) -> None:
        # Frames speak English, as all refusals do; pages say `closed` in their reader's language.
        super().__init__(RefusalCode.NOT_NOW, closed.in_english)
        self.closed = closed


def refuse_unless_open(calendar: Calendar, doing: Doing, at: datetime) -> None:
    """Errors: `NotTestingNow`."""
    try:
        check_open(calendar, doing, at)
    except NotNow as closed:
        raise NotTestingNow(closed) from closed


def refuse_after_testing(assignment_id: int, at: datetime) -> None:
    """Errors: `NotTestingNow` once open dialogues may no longer go on."""
    refuse_unless_open(Campaign.objects.get(assignments=assignment_id), Doing.FINISH, at)
