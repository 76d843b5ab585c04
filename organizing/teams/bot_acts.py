"""Acts of organizers on a bot by their names: it pauses, resumes, leaves, or moves to another stage. Three pages and the API use it."""

from collections.abc import Mapping
from datetime import datetime

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
from campaigns.planning.redrawing import Changes
from conformance.actions import accept_change
from conformance.system_kinds import BOTS
from dialogues.queries import void_assignments
from organizing.drawing_page import drawn_sentence
from organizing.teams.views import bot_page
from serving.refused import Refused

# Acts on how it takes part, which testers read of; the others move it from stage to stage, which its team reads of.
PART_ACTS: Mapping[str, str | Promise] = {
    "pause": gettext_lazy("%(alias)s is paused. Open dialogues with it go on."),
    "resume": gettext_lazy("%(alias)s can be talked to again."),
    "withdraw": gettext_lazy("%(alias)s no longer takes part. Its scores stay."),
}
BOT_ACTS = (*PART_ACTS, "admit", "send_back", "freeze", "accept_change")


class NotDone(Refused):
    """The act is not possible; nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def act_on(entry: Entry, act: str, because: str, *, by: Person, at: datetime) -> Changes:
    """Does one of `BOT_ACTS`; the answer is what was drawn because a bot was resumed or withdrawn.

    Errors: `ReasonNeeded`; `NotDone` with code `withdrawn` or `no_such_act`; `NotThatStage`, `NotNow`.
    """
    void = void_assignments(entry.campaign)
    match act:
        case "pause":
            try:
                pause_bot(entry=entry, because=because, at=at, by=by)
            except CannotPause:
                text = _("%(alias)s was withdrawn: take it back first.") % {"alias": entry.alias}
                raise NotDone("withdrawn", text) from None
        case "resume":
            return resume_bot(entry=entry, because=because, void=void, by=by)
        case "withdraw":
            return withdraw_bot(entry=entry, because=because, at=at, void=void, by=by)
        case "admit":
            admit_bot(entry=entry, by=by, at=at, void=void)
        case "send_back":
            send_back_bot(entry=entry, because=because, by=by, at=at, void=void)
        case "freeze":
            freeze_bot(entry=entry, by=by, at=at)
        case "accept_change":
            accept_change(BOTS, system=entry, by=by, at=at)
        case _:
            text = _("The act is one of pause, resume, withdraw, admit, send_back, freeze and accept_change.")
            raise NotDone("no_such_act", text)
    return Changes()


@for_roles(Role.ORGANIZER)
@form_on("teams")
def act_on_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Does the act on the bot of that alias; a refusal stands on the bot's page beside the reason that was typed."""
    entries = campaign.entries.select_related("bot__team", "campaign")
    entry = get_object_or_404(entries, alias=request.POST.get("bot", ""))
    act, because = request.POST.get("act", ""), request.POST.get("because", "")
    try:
        changes = act_on(entry, act, because, by=person_of(request), at=timezone.now())
    except Refused as refused:
        refusal = {"because": because, "wrong": str(refused)}
        form = "part_refused" if act in PART_ACTS else "stage_refused"
        return bot_page(request, entry, refused={form: refusal})
    text = str(PART_ACTS.get(act) or _("Done. The team sees it on its page."))
    messages.success(request, text % {"alias": entry.alias})
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
