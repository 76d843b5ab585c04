"""The organizer's pages of teams: who takes part with what, what waits, the agreement's versions, and data packages."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from audit.models import TrailLine
from automatic_tasks.inputs import link_to, opens_at, packages_of
from campaigns.access import for_roles
from campaigns.actions import change_address, register_bot
from campaigns.calendar import moment_in_zone
from campaigns.models import Campaign, Entry, Role
from organizing.teams.listing import team_named, team_names, teams_of
from participants.adapters import ADAPTERS
from participants.bot_form import read_address, read_bot
from participants.limits import NAME_LIMIT
from reading.checking import BadForm
from registration.actions import (
    approve_application,
    ask_team,
    refuse_application,
    remove_package,
    upload_package,
    withdraw_team_request,
    write_agreement,
)
from registration.agreements import current_agreement
from registration.models import Application, DataPackage, PackageDownload
from registration.refusals import NotPossible
from serving.refused import Refused
from team_desk.address_form import (
    TryForm,
    address_fields,
    bot_fields,
    chosen_entry,
    form_context,
    found_page,
    is_to_find_out,
    try_page,
)
from team_desk.own_bots import bot_of
from team_desk.views import act_on_key, bot_context

Fields = dict[str, str]
ANSWERED_SHOWN = 50


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
@tells_refusal
def teams(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows all teams and what waits; POST registers a system for one of them."""
    if request.method != "POST":
        return _teams_page(request, campaign)
    try:
        if is_to_find_out(request):
            return found_page(request, form_of_organizers(campaign, None))
        entry = register_bot(
            campaign=campaign,
            team=team_named(campaign, request.POST.get("team", "")),
            form=read_bot(bot_fields(request.POST), ADAPTERS),
            by=person_of(request),
            at=timezone.now(),
        )
    except BadForm as bad:
        return _teams_page(request, campaign, bad)
    messages.success(request, _("%(name)s is registered.") % {"name": entry.bot.label})
    return redirect("team-bot", campaign.slug, entry.pk)


def form_of_organizers(campaign: Campaign, entry: Entry | None) -> TryForm:
    register = reverse("teams", args=[campaign.slug])
    store = reverse("team-bot", args=[campaign.slug, entry.pk]) if entry else register
    names = team_names(campaign)
    return TryForm(campaign, entry, reverse("try-bot", args=[campaign.slug]), store, "organizer", names)


def _teams_page(
    request: HttpRequest,
    campaign: Campaign,
    bad: BadForm | None = None,
    not_refused: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """`not_refused` is an application with the typed reason and why it was not refused."""
    applications = campaign.applications.with_names()
    rows, waiting = teams_of(campaign, timezone.now()), list(applications.waiting())
    has_form = not_refused is None or any(one.pk == not_refused["application"] for one in waiting)
    return render(
        request,
        "organizing/teams/teams.html",
        {
            "campaign": campaign,
            "waiting": waiting,
            "not_refused": not_refused if has_form else None,
            "not_done": None if has_form else not_refused,
            "answered": applications.exclude(state=Application.State.WAITING).order_by("-answered_at")[:ANSWERED_SHOWN],
            "rows": rows,
            "requests": campaign.team_requests.select_related("answered_by")[:ANSWERED_SHOWN],
            "agreement": current_agreement(campaign),
            "n_packages": campaign.packages.filter(removed_at=None).count(),
            **form_context(request, None, bad),
        },
        status=422 if bad else 409 if not_refused else 200,
    )


@for_roles(Role.ORGANIZER)
@form_on("teams")
@tells_refusal
def answer(request: HttpRequest, campaign: Campaign, application_id: int) -> HttpResponse:
    application = get_object_or_404(campaign.applications, pk=application_id)
    by, at, because = person_of(request), timezone.now(), request.POST.get("because", "")
    if request.POST.get("act") == "approve":
        joins = bool(request.POST.get("joins"))
        team = approve_application(application=application, by=by, at=at, joins=joins)
        messages.success(request, _("%(team)s takes part now.") % {"team": team.called})
        return redirect("teams", campaign.slug)
    if request.POST.get("act") != "refuse":
        raise BadRequest("There is no such act.")
    try:
        refuse_application(application=application, by=by, because=because, at=at)
    except Refused as refused:
        typed = {"application": application.pk, "because": because, "wrong": str(refused)}
        return _teams_page(request, campaign, not_refused=typed)
    messages.success(request, _("The application is refused. The applicant reads the reason."))
    return redirect("teams", campaign.slug)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
@tells_refusal
def team_bot(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows one bot with its state and earlier addresses; POST changes the address."""
    entry = get_object_or_404(campaign.entries.select_related("bot__team", "campaign"), pk=entry_id)
    if request.method != "POST":
        return bot_page(request, entry)
    try:
        if is_to_find_out(request):
            return found_page(request, form_of_organizers(campaign, entry))
        form = read_address(address_fields(request.POST), ADAPTERS)
        change_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return bot_page(request, entry, bad)
    messages.success(request, _("The address is saved. Open dialogues follow within two minutes."))
    return redirect("team-bot", campaign.slug, entry.pk)


@for_roles(Role.ORGANIZER)
@form_on("team-bot")
@tells_refusal
def team_bot_key(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """Makes or revokes the key of a system that connects itself; the answer is the one page that shows a new key."""
    entry = get_object_or_404(campaign.entries.select_related("bot__team", "campaign"), pk=entry_id)
    issued = act_on_key(request, entry)
    return bot_page(request, entry, issued=issued) if issued else redirect("team-bot", campaign.slug, entry.pk)


def bot_page(
    request: HttpRequest,
    entry: Entry,
    bad: BadForm | None = None,
    issued: str = "",
    refused: Mapping[str, Fields] = MappingProxyType({}),
) -> HttpResponse:
    """One system of a campaign; `refused` holds the forms of acts that were not possible."""
    slug = entry.campaign.slug
    lines = TrailLine.objects.of_campaign(slug).filter(about=entry.alias, act__startswith="bot.")
    more = {
        # An act on a bot comes from several pages to one address, which does not name the bot.
        "here": reverse("team-bot", args=[slug, entry.pk]),
        "lines": lines.latest_first()[:ANSWERED_SHOWN],
        **refused,
    }
    context = bot_context(request, bot_of(entry), bad, reverse("team-bot-key", args=[slug, entry.pk]), issued)
    status = 422 if bad else 409 if refused else 200
    return render(request, "organizing/teams/bot.html", context | more, status=status)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def try_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    entry = chosen_entry(request, campaign.entries.select_related("bot__team", "campaign"))
    return try_page(request, form_of_organizers(campaign, entry))


@for_roles(Role.ORGANIZER)
@form_on("teams")
@tells_refusal
def ask(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    name = request.POST.get("name", "")
    asked = ask_team(campaign=campaign, name=name, by=person_of(request), at=timezone.now())
    messages.success(request, _("If there is a team named %(name)s, its members are asked.") % {"name": asked.name})
    return redirect("teams", campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("teams")
@tells_refusal
def withdraw(request: HttpRequest, campaign: Campaign, team_request_id: int) -> HttpResponse:
    asked = get_object_or_404(campaign.team_requests, pk=team_request_id)
    withdraw_team_request(request=asked, by=person_of(request), at=timezone.now())
    messages.success(request, _("The request is withdrawn."))
    return redirect("teams", campaign.slug)


DOWNLOADS_SHOWN = 200


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows the text in force, who accepted it and earlier versions; POST stores the next version."""
    if request.method != "POST":
        return _agreement_page(request, campaign)
    texts = {name: request.POST.get(name, "") for name in ("text_zh", "text_en")}
    try:
        written = write_agreement(campaign=campaign, by=person_of(request), at=timezone.now(), **texts)
    except Refused as refused:
        return _agreement_page(request, campaign, texts, str(refused), status=422)
    text = _("Version %(n)d is in force: every team is asked to accept it.")
    if not written.is_asked:
        text = _("Version %(n)d is in force: no agreement is asked for.")
    messages.success(request, text % {"n": written.version})
    return redirect("agreement-of-teams", campaign.slug)


def _agreement_page(
    request: HttpRequest, campaign: Campaign, typed: dict[str, str] | None = None, wrong: str = "", status: int = 200
) -> HttpResponse:
    current = current_agreement(campaign)
    stored = {"text_zh": current.text_zh, "text_en": current.text_en} if current else {}
    return render(
        request,
        "organizing/teams/agreement.html",
        {
            "campaign": campaign,
            "current": current,
            "versions": campaign.agreements.select_related("written_by").prefetch_related("acceptances__team"),
            "typed": typed or stored,
            "wrong": wrong,
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def packages(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET lists files and downloads; POST uploads a file."""
    if request.method != "POST":
        return _packages_page(request, campaign)
    try:
        package = uploaded(campaign, request.FILES.get("file"), request.POST, person_of(request))
    except Refused as refused:
        return _packages_page(request, campaign, str(refused), status=422)
    text = _("The file is there for every team that has accepted the agreement.")
    if (opens := opens_at(package)) is not None and opens > timezone.now():
        text = _("Teams may download the file from %(when)s.") % {"when": moment_in_zone(opens, campaign.time_zone)}
    messages.success(request, text)
    return redirect("packages", campaign.slug)


def uploaded(campaign: Campaign, file: Any, said: Mapping[str, Any], by: Person) -> DataPackage:
    """The stored package; where `task` names one, the inputs of that task. Errors: `NotPossible`."""
    key, link = str(said.get("task", "")), {}
    if key:
        task = campaign.automatic_tasks.filter(key=key).first()
        if task is None:
            raise NotPossible("no_task")
        link = {"before_it_opens": partial(link_to, task)}
    return upload_package(
        campaign=campaign,
        file_name=file.name or "" if file else "",
        content=file,
        about=str(said.get("about", "")),
        by=by,
        at=timezone.now(),
        **link,
    )


def _packages_page(request: HttpRequest, campaign: Campaign, wrong: str = "", status: int = 200) -> HttpResponse:
    downloads = PackageDownload.objects.filter(package__campaign=campaign).select_related("package", "person", "team")
    return render(
        request,
        "organizing/teams/packages.html",
        {
            "campaign": campaign,
            "packages": packages_of(campaign),
            "tasks": campaign.automatic_tasks.all(),
            "task_key": request.POST.get("task", ""),
            "downloads": downloads[:DOWNLOADS_SHOWN],
            "about": request.POST.get("about", ""),
            "wrong": wrong,
            "name_limit": NAME_LIMIT,
            "limit_mb": settings.PACKAGE_LIMIT_BYTES // 1024 // 1024,
            "limit_bytes": settings.PACKAGE_LIMIT_BYTES,
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@form_on("packages")
@tells_refusal
def remove(request: HttpRequest, campaign: Campaign, package_id: int) -> HttpResponse:
    package = get_object_or_404(DataPackage, campaign=campaign, pk=package_id)
    remove_package(package=package, by=person_of(request), at=timezone.now())
    messages.success(request, _("%(name)s is removed.") % {"name": package.file_name})
    return redirect("packages", campaign.slug)
