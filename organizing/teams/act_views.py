"""Acts on a bot, from the bot's page, from the coverage and from the wall: one door for all of them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.models import Campaign, Entry, Role
from organizing.sentences import drawn_sentence
from organizing.teams.bot_acts import PART_ACTS, act_on, said_of
from organizing.teams.views import bot_page
from serving.refused import Refused


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
        return bot_page(request, entry, status=409, refused={form: refusal})
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
