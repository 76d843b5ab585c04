"""A team talks to its own bots on practice scenarios, in the console of testers or by the API."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from accounts.form_routes import form_on
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import for_roles, team_of
from campaigns.models import Campaign, Role
from dialogues.actions.opening import NotOffered, open_practice
from dialogues.actions.season import NotTestingNow
from dialogues.models import Dialogue
from dialogues.turn_taking import Refusal
from reading.kinds import ANY_TEXT
from reading.tables import Field, Table
from team_desk.api import TeamsView
from team_desk.own_bots import entries_of
from testing_console.api import OpenedDialogue
from testing_console.views import console_page


@for_roles(Role.PARTICIPANT)
@form_on("own-bot")
def begin_practice(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    team = team_of(person_of(request), campaign)
    entry = get_object_or_404(entries_of(team, campaign), pk=entry_id) if team else None
    if entry is None:
        raise Http404
    scenario = get_object_or_404(
        campaign.scenarios.declared().filter(is_practice=True), key=request.POST.get("scenario", "")
    )
    try:
        dialogue = open_practice(entry=entry, scenario=scenario, person=person_of(request), at=timezone.now())
    except NotTestingNow as refused:
        messages.warning(request, refused.closed.message)
    except NotOffered:
        messages.warning(request, _("It has no address to practise with, or no longer takes part."))
    except Refusal:
        n = campaign.open_dialogues_per_tester
        messages.warning(request, _("%(n)d practice dialogues are open already: end one first.") % {"n": n})
    else:
        return redirect("practice", campaign.slug, dialogue.pk)
    return redirect("own-bot", campaign.slug, entry.pk)


@for_roles(Role.PARTICIPANT)
@require_GET
def practice(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """The console of one's own practice dialogue, with a bot of the team that one belongs to now."""
    team = team_of(person_of(request), campaign)
    own = Dialogue.everything.filter(origin=Dialogue.Origin.PRACTICE, tester=person_of(request))
    own = own.filter(assignment__campaign=campaign, assignment__entry__bot__team=team)
    dialogue = get_object_or_404(
        own.with_names().select_related("assignment__entry__bot").with_waiting(), pk=dialogue_id
    )
    entry = dialogue.assignment.entry
    more = {"is_practice": True, "bot_name": entry.bot.name, "alias": entry.bot.name}
    list_url = reverse("own-bot", args=[campaign.slug, entry.pk])
    return console_page(
        request,
        dialogue,
        list_url,
        more,
        hasAnother=False,
        asksForScores=False,
        reviewPage="",
        alias=entry.bot.name,
        takesReports=False,
    )


PRACTICE = Table({"scenario": Field(ANY_TEXT)}, keeps_others=True)


class Practice(TeamsView):
    """GET lists the keys of the scenarios, POST opens a dialogue about one: `scenario`."""

    @describes("Lists the scenarios that a team practises on", list[str], asks=PAGES, refuses=(409,))
    def get(self, request: Request, entry_id: int) -> Page:
        scenarios = self.entry(entry_id).campaign.scenarios.filter(is_practice=True)
        return page_of(request, scenarios.values_list("key", flat=True))

    @describes(
        "Opens a practice dialogue with a bot of the own team", OpenedDialogue, 201, reads=PRACTICE, refuses=(409, 422)
    )
    def post(self, request: Request, entry_id: int) -> Dialogue:
        entry, key = self.entry(entry_id), body_in(request, PRACTICE)["scenario"]
        scenario = entry.campaign.scenarios.filter(is_practice=True, key=key).first()
        if scenario is None:
            raise ValidationError({"scenario": [_("This campaign has no such scenario for practice.")]})
        return open_practice(entry=entry, scenario=scenario, person=person_of(request), at=timezone.now())
