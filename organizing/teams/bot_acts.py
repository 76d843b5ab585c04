"""Pauses, resumes and withdraws a bot by the name of the act."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.actions import CannotPause, ReasonNeeded, pause_bot, resume_bot, withdraw_bot
from campaigns.models import Entry
from organizing.queries import void_assignments
from participants.limits import REASON_LIMIT
from serving.refused import Refused


class NotDone(Refused):
    """The act is not possible; nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def act_on(entry: Entry, act: str, because: str, *, by: Person, at: datetime) -> None:
    """Errors: `NotDone` with code `no_reason`, `withdrawn` or `no_such_act`."""
    because = because[:REASON_LIMIT]
    try:
        if act == "pause":
            pause_bot(entry=entry, because=because, at=at, by=by)
        elif act == "resume":
            resume_bot(entry=entry, void=void_assignments(entry.campaign), by=by)
        elif act == "withdraw":
            withdraw_bot(entry=entry, because=because, at=at, void=void_assignments(entry.campaign), by=by)
        else:
            raise NotDone("no_such_act", _("The act is one of pause, resume and withdraw."))
    except ReasonNeeded:
        raise NotDone("no_reason", _("Say why: testers read the reason on their list.")) from None
    except CannotPause:
        text = _("%(alias)s was withdrawn: take it back first.") % {"alias": entry.alias}
        raise NotDone("withdrawn", text) from None
