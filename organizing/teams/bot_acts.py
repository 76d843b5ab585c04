"""Pauses, resumes and withdraws a bot, and moves it from stage to stage, by the name of the act."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Person
from campaigns.actions import (
    CannotPause,
    admit_bot,
    freeze_bot,
    pause_bot,
    resume_bot,
    send_back_bot,
    withdraw_bot,
)
from campaigns.models import Entry
from campaigns.redrawing import Changes
from conformance.actions import accept_change
from organizing.queries import void_assignments
from serving.refused import Refused

# Acts on how it takes part, which testers read of; the others move it from stage to stage, which its team reads of.
PART_ACTS = ("pause", "resume", "withdraw")
BOT_ACTS = (*PART_ACTS, "admit", "send_back", "freeze", "accept_change")
SAID: Mapping[str, str | Promise] = {
    "pause": gettext_lazy("%(alias)s is paused. Open dialogues with it go on."),
    "resume": gettext_lazy("%(alias)s can be talked to again."),
    "withdraw": gettext_lazy("%(alias)s no longer takes part. Its scores stay."),
}


def said_of(entry: Entry, act: str) -> str:
    """What the organizer is told once the act is done."""
    return str(SAID.get(act) or _("Done. The team sees it on its page.")) % {"alias": entry.alias}


class NotDone(Refused):
    """The act is not possible; nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def move_on(entry: Entry, act: str, because: str, *, by: Person, at: datetime) -> None:
    """Moves the bot to another stage by the name of the act. Errors: `NotThatStage`; `NotDone` with code `no_such_act`."""
    void, named = void_assignments(entry.campaign), dict[str, Any](entry=entry, by=by, at=at)
    if act == "admit":
        admit_bot(**named, void=void)
    elif act == "send_back":
        send_back_bot(**named, because=because, void=void)
    elif act == "freeze":
        freeze_bot(**named)
    elif act == "accept_change":
        accept_change(**named)
    else:
        text = _("The act is one of pause, resume, withdraw, admit, send_back, freeze and accept_change.")
        raise NotDone("no_such_act", text)


def act_on(entry: Entry, act: str, because: str, *, by: Person, at: datetime) -> Changes:
    """What was drawn by pausing, resuming or withdrawing it.

    Errors: `ReasonNeeded`; `NotDone` with code `withdrawn` or `no_such_act`; `NotThatStage`, `NotNow`.
    """
    try:
        if act == "pause":
            pause_bot(entry=entry, because=because, at=at, by=by)
        elif act == "resume":
            return resume_bot(entry=entry, because=because, void=void_assignments(entry.campaign), by=by)
        elif act == "withdraw":
            return withdraw_bot(entry=entry, because=because, at=at, void=void_assignments(entry.campaign), by=by)
        else:
            move_on(entry, act, because, by=by, at=at)
    except CannotPause:
        text = _("%(alias)s was withdrawn: take it back first.") % {"alias": entry.alias}
        raise NotDone("withdrawn", text) from None
    return Changes()
