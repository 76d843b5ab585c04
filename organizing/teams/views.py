"""The organizer's pages of teams: what waits, who takes part with what, and the acts on it."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import person_of
from audit.models import TrailLine
from campaigns.access import for_roles
from campaigns.actions import change_address, register_bot
from campaigns.models import Campaign, Entry, Role
from organizing.participating.forms import said_address, said_bot, stored_fields, typed_fields, wrong_fields
from organizing.participating.own_bots import own_bots
from organizing.participating.views import limits
from organizing.teams.listing import teams_of
from participants.adapters import PROTOCOLS
from participants.bot_form import read_address, read_bot
from participants.models import Team
from registration.actions import approve_application, refuse_application
from registration.agreed import current_agreement
from registration.models import Application
from scoring.checking import BadForm
from serving.refused import Refused

Fields = dict[str, str]
ANSWERED_SHOWN = 50


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows all teams and what waits; POST registers a system for one of them."""
    if request.method != "POST":
        return _teams_page(request, campaign)
    try:
        entry = register_bot(
            campaign=campaign,
            team=team_named(campaign, request.POST.get("team", "")),
            form=read_bot(said_bot(request.POST), PROTOCOLS),
            by=person_of(request),
            at=timezone.now(),
        )
    except BadForm as bad:
        return _teams_page(request, campaign, typed_fields(request.POST), wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("teams", campaign.slug)
    messages.success(request, _("%(name)s is registered.") % {"name": str(entry.bot)})
    return redirect("team-bot", campaign.slug, entry.pk)


def team_named(campaign: Campaign, name: str) -> Team:
    """A team that takes part in the campaign. Errors: `Http404`."""
    here = Team.objects.filter(members__campaign=campaign) | Team.objects.filter(bots__entries__campaign=campaign)
    team = here.filter(name=name).distinct().first()
    if team is None:
        raise Http404
    return team


def _teams_page(
    request: HttpRequest,
    campaign: Campaign,
    typed: Fields | None = None,
    wrong: Fields | None = None,
    status: int = 200,
) -> HttpResponse:
    applications = campaign.applications.with_names()
    rows = teams_of(campaign, timezone.now())
    return render(
        request,
        "organizing/teams/teams.html",
        {
            "campaign": campaign,
            "waiting": applications.waiting(),
            "answered": applications.exclude(state=Application.State.WAITING).order_by("-answered_at")[:ANSWERED_SHOWN],
            "rows": rows,
            "agreement": current_agreement(campaign),
            "n_packages": campaign.packages.filter(removed_at=None).count(),
            "typed": typed or {},
            "wrong": wrong or {},
            **limits(),
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@require_POST
def answer(request: HttpRequest, campaign: Campaign, application_id: int) -> HttpResponse:
    application = get_object_or_404(campaign.applications, pk=application_id)
    by, at = person_of(request), timezone.now()
    try:
        if request.POST.get("act") == "approve":
            joins = bool(request.POST.get("joins"))
            team = approve_application(application=application, by=by, at=at, joins=joins)
            messages.success(request, _("%(team)s takes part now.") % {"team": team.name})
        elif request.POST.get("act") != "refuse":
            raise BadRequest("There is no such act.")
        else:
            because = request.POST.get("because", "")
            refuse_application(application=application, by=by, because=because, at=at)
            messages.success(request, _("The application is refused. The applicant reads the reason."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("teams", campaign.slug)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def team_bot(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows one system, how it stands and what its address was; POST changes the address."""
    entry = get_object_or_404(campaign.entries.select_related("bot__team", "campaign"), pk=entry_id)
    if request.method != "POST":
        return _bot_page(request, entry)
    try:
        form = read_address(said_address(request.POST), PROTOCOLS)
        change_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _bot_page(request, entry, typed_fields(request.POST), wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The address is saved. Open dialogues follow within two minutes."))
    return redirect("team-bot", campaign.slug, entry.pk)


def _bot_page(
    request: HttpRequest, entry: Entry, typed: Fields | None = None, wrong: Fields | None = None, status: int = 200
) -> HttpResponse:
    campaign = entry.campaign
    listed = campaign.entries.filter(pk=entry.pk).select_related("bot__team", "campaign", "registered_by")
    (bot,) = own_bots(listed, timezone.now())
    lines = TrailLine.objects.of_campaign(campaign.slug).filter(about=entry.alias, act__startswith="bot.")
    return render(
        request,
        "organizing/teams/bot.html",
        {
            "campaign": campaign,
            "bot": bot,
            "entry": bot.entry,
            "spans": [(_("last 24 hours"), bot.health.lately), (_("in all"), bot.health.ever)],
            "lines": lines.latest_first()[:ANSWERED_SHOWN],
            "has_secret": entry.has_secret,
            "typed": typed or stored_fields(entry.protocol, entry.url, entry.options),
            "wrong": wrong or {},
            **limits(),
        },
        status=status,
    )
