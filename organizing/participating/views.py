"""A team's pages: its systems with their health and failures, what was said to them, its tasks and data."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import person_of
from automatic_tasks.actions import quotas_left
from automatic_tasks.run_dates import last_moment_of_runs
from campaigns.access import for_roles, team_of
from campaigns.actions import take_out_bot
from campaigns.calendar import Doing, why_closed
from campaigns.models import Campaign, Entry, Role
from organizing.participating.forms import said_address, said_bot, stored_fields, typed_fields, wrong_fields
from organizing.participating.own_bots import entries_of, own_bots
from organizing.participating.own_failures import failures_of
from organizing.participating.own_transcripts import of_bot, transcript_for
from organizing.queries import void_assignments
from participants.adapters import PROTOCOLS
from participants.bot_form import read_address, read_bot
from participants.limits import NAME_LIMIT, REASON_LIMIT
from participants.models import Team
from registration.actions import change_own_address, register_own_bot
from registration.agreed import acceptance_of, current_agreement
from scoring.checking import BadForm
from serving.refused import Refused

Fields = dict[str, str]


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def team_page(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows all that the team has here; POST registers a system."""
    team = team_of(person_of(request), campaign)
    if request.method != "POST":
        return _team_page(request, campaign, team)
    if team is None:
        raise Http404
    try:
        form = read_bot(said_bot(request.POST), PROTOCOLS)
        entry = register_own_bot(campaign=campaign, team=team, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _team_page(request, campaign, team, typed_fields(request.POST), wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("team", campaign.slug)
    messages.success(request, _("%(name)s is registered.") % {"name": entry.bot.name})
    return redirect("own-bot", campaign.slug, entry.pk)


def _team_page(
    request: HttpRequest,
    campaign: Campaign,
    team: Team | None,
    typed: Fields | None = None,
    wrong: Fields | None = None,
    status: int = 200,
) -> HttpResponse:
    if team is None:
        return render(request, "organizing/participating/no_team.html", {"campaign": campaign})
    now, agreement = timezone.now(), current_agreement(campaign)
    tasks = list(campaign.automatic_tasks.all())
    left = quotas_left(tasks=tasks, team=team, at=now)
    accepted = acceptance_of(agreement, team)
    return render(
        request,
        "organizing/participating/team.html",
        {
            "campaign": campaign,
            "team": team,
            "agreement": agreement,
            "accepted": accepted,
            "may_register": agreement is None or accepted is not None,
            "closed": why_closed(campaign, Doing.ENTER_BOT, now),
            "bots": own_bots(entries_of(team, campaign), now),
            "tasks": [(task, left[task.pk]) for task in tasks],
            "until": last_moment_of_runs(campaign),
            "packages": campaign.packages.filter(removed_at=None),
            "typed": typed or {},
            "wrong": wrong or {},
            **limits(),
        },
        status=status,
    )


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def own_bot(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows one system of the team; POST changes its address."""
    entry = _own_entry(request, campaign, entry_id)
    if request.method != "POST":
        return _bot_page(request, entry)
    try:
        form = read_address(said_address(request.POST), PROTOCOLS)
        change_own_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _bot_page(request, entry, typed_fields(request.POST), wrong_fields(bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The address is saved. Open dialogues follow within two minutes."))
    return redirect("own-bot", campaign.slug, entry.pk)


def _bot_page(
    request: HttpRequest, entry: Entry, typed: Fields | None = None, wrong: Fields | None = None, status: int = 200
) -> HttpResponse:
    campaign = entry.campaign
    (bot,) = own_bots(entries_of(entry.bot.team, campaign).filter(pk=entry.pk), timezone.now())
    return render(
        request,
        "organizing/participating/bot.html",
        {
            "campaign": campaign,
            "team": entry.bot.team,
            "bot": bot,
            "entry": bot.entry,
            "spans": [(_("last 24 hours"), bot.health.lately), (_("in all"), bot.health.ever)],
            "failures": failures_of(entry),
            "transcripts": of_bot(entry),
            "closed": why_closed(campaign, Doing.ENTER_BOT, timezone.now()),
            "has_secret": entry.has_secret,
            "typed": typed or stored_fields(entry.protocol, entry.url, entry.options),
            "wrong": wrong or {},
            **limits(),
        },
        status=status,
    )


@for_roles(Role.PARTICIPANT)
@require_POST
def take_out(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    entry = _own_entry(request, campaign, entry_id)
    because, void = request.POST.get("because", ""), void_assignments(campaign)
    try:
        take_out_bot(entry=entry, because=because, by=person_of(request), at=timezone.now(), void=void)
        messages.success(request, _("%(name)s takes no part any more.") % {"name": entry.bot.name})
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("own-bot", campaign.slug, entry.pk)


@for_roles(Role.PARTICIPANT)
@require_GET
def own_transcript(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    dialogue = transcript_for(team_of(person_of(request), campaign), campaign, dialogue_id)
    return render(
        request,
        "organizing/participating/transcript.html",
        {"campaign": campaign, "dialogue": dialogue, "turns": dialogue.turns.all()},
    )


def _own_entry(request: HttpRequest, campaign: Campaign, entry_id: int) -> Entry:
    """Errors: `Http404` for what is no bot of the team that the person belongs to now."""
    team = team_of(person_of(request), campaign)
    entry = entries_of(team, campaign).filter(pk=entry_id).first() if team else None
    if entry is None:
        raise Http404
    return entry


def limits() -> dict[str, Any]:
    return {"protocols": PROTOCOLS, "name_limit": NAME_LIMIT, "reason_limit": REASON_LIMIT}
