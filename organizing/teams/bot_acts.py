"""Pauses, resumes and withdraws a bot, and moves it from stage to stage, by the name of the act: from pages by one route, and by the API."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import (
    CannotPause,
    admit_bot,
    freeze_bot,
    pause_bot,
    resume_bot,
    send_back_bot,
    withdraw_bot,
)
from campaigns.models import Campaign, Entry, Role
from campaigns.redrawing import Changes
from conformance.actions import accept_change
from conformance.system_kinds import BOTS
from dialogues.queries import void_assignments
from organizing.sentences import drawn_sentence
from organizing.teams.views import bot_page
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
        accept_change(BOTS, system=entry, by=by, at=at)
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


@for_roles(Role.ORGANIZER)
@form_on("teams")
def act_on_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Does what `act` names with the bot of that alias; where it cannot, the bot's page says why beside the reason typed."""
    entries = campaign.entries.select_related("bot__team", "campaign")
    entry = get_object_or_404(entries, alias=request.POST.get("bot", ""))
    act, because = request.POST.get("act", ""), request.POST.get("because", "")
    try:
        changes = act_on(entry, act, because, by=person_of(request), at=timezone.now())
    except Refused as refused:
        refusal = {"because": because, "wrong": str(refused)}
        form = "part_refused" if act in PART_ACTS else "stage_refused"
        return bot_page(request, entry, refused={form: refusal})
    messages.success(request, said_of(entry, act))
    if changes:
        messages.success(request, drawn_sentence(changes))
    return redirect(_back(request.POST.get("back", ""), entry))


def _back(place: str, entry: Entry) -> str:
    slug = entry.campaign.slug
    if place == "wall":
        return reverse("wall", args=[slug])
    if place == "coverage":
        return f"{reverse('coverage', args=[slug])}?{urlencode({'chosen': entry.alias})}#chosen"
    return reverse("team-bot", args=[slug, entry.pk])
