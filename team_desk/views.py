"""A team's pages: its bots with their health, failures, transcripts and practice; its tasks, agreement and data."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from automatic_tasks.inputs import check_may_download, packages_of, told_to_teams, with_dates
from automatic_tasks.runs.quotas import allowances_of, last_moment_of_runs
from campaigns.access import for_roles, has_role, team_of
from campaigns.actions import submit_bot, take_out_bot
from campaigns.calendar import Doing, is_open, why_closed
from campaigns.models import Campaign, Entry, Role
from campaigns.stages import is_sent_back
from conformance.documents import bot_panel
from dialogues.actions.ledger import NotTestingNow
from dialogues.actions.objecting import object_to
from dialogues.actions.opening import NotOffered, open_practice
from dialogues.models import Dialogue
from dialogues.queries import void_assignments
from dialogues.turn_taking import Refusal
from leaderboards.exports.downloads import Download
from participants.adapters import ADAPTERS
from participants.bot_form import AddressForm, read_address, read_bot, read_secret
from participants.limits import REASON_LIMIT
from participants.models import Team
from reading.checking import BadForm
from reading.digits import whole_or_none
from registration.actions import (
    accept_agreement,
    answer_team_request,
    change_own_address,
    download_package,
    register_own_bot,
)
from registration.agreements import acceptance_of, current_agreement
from registration.models import DataPackage, TeamRequest
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
from team_desk.health_picture import cells_of, hours_of, picture_of, whole_of
from team_desk.own_bots import OwnBot, bot_of, calls_of, entries_of, make_key, own_bots, revoke_key, socket_address
from team_desk.own_dialogues import failures_of, of_bot, transcript_for
from team_desk.own_objections import objections_of, subject_of
from team_desk.own_report import report_of
from testing_console.views import console_page

Fields = dict[str, str]
# Widths of the pictures of health, and the hours between two labels: on a desk, on a phone.
PICTURES = ((1088, 4), (338, 8))


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
@tells_refusal
def team_page(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET shows all that the team has here; POST registers a system."""
    if request.method != "POST":
        return _team_page(request, campaign, team_of(person_of(request), campaign))
    team = _own_team(request, campaign)
    try:
        if is_to_find_out(request):
            return found_page(request, _try_form(campaign, None))
        form = read_bot(bot_fields(request.POST), ADAPTERS)
        entry = register_own_bot(campaign=campaign, team=team, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _team_page(request, campaign, team, bad)
    messages.success(request, _("%(name)s is registered.") % {"name": entry.bot.name})
    return redirect("own-bot", campaign.slug, entry.pk)


def _team_page(request: HttpRequest, campaign: Campaign, team: Team | None, bad: BadForm | None = None) -> HttpResponse:
    if team is None:
        return render(request, "team_desk/no_team.html", {"campaign": campaign})
    now, agreement = timezone.now(), current_agreement(campaign)
    tasks = list(campaign.automatic_tasks.all())
    allowed = allowances_of(tasks, team, now)
    accepted = acceptance_of(agreement, team)
    return render(
        request,
        "team_desk/team.html",
        {
            "campaign": campaign,
            "team": team,
            "agreement": agreement,
            "requests": TeamRequest.objects.for_team(team).select_related("campaign"),
            "accepted": accepted,
            "may_register": agreement is None or accepted is not None,
            "closed": why_closed(campaign, Doing.ENTER_BOT, now),
            "bots": own_bots(entries_of(team, campaign), now),
            "tasks": [(task, allowed[task.pk], last_moment_of_runs(campaign, task)) for task in tasks],
            "packages": with_dates(told_to_teams(packages_of(campaign)), now),
            **form_context(request, None, bad),
        },
        status=422 if bad else 200,
    )


def _own_team(request: HttpRequest, campaign: Campaign) -> Team:
    """The team that the person belongs to now. Errors: `Http404`."""
    team = team_of(person_of(request), campaign)
    if team is None:
        raise Http404
    return team


@for_roles(Role.PARTICIPANT)
@form_on("team")
@tells_refusal
def accept(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    team, number = _own_team(request, campaign), whole_or_none(request.POST.get("version", "")) or 0
    accept_agreement(campaign=campaign, team=team, person=person_of(request), version=number, at=timezone.now())
    messages.success(request, _("The agreement is accepted for %(team)s.") % {"team": team.called})
    return redirect("team", campaign.slug)


@for_roles(Role.PARTICIPANT)
@form_on("team")
@tells_refusal
def answer_request(request: HttpRequest, campaign: Campaign, team_request_id: int) -> HttpResponse:
    """`campaign` is where the person takes part; the request comes from another one."""
    team, act = _own_team(request, campaign), request.POST.get("act")
    asked = get_object_or_404(TeamRequest.objects.for_team(team), pk=team_request_id)
    if act not in {"accept", "decline"}:
        raise BadRequest("There is no such act.")
    accepts = act == "accept"
    answer_team_request(request=asked, team=team, person=person_of(request), accepts=accepts, at=timezone.now())
    messages.success(request, _("Your team takes part there, too.") if accepts else _("The request is declined."))
    return redirect("team", campaign.slug)


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def package_file(request: HttpRequest, campaign: Campaign, package_id: int) -> HttpResponseBase:
    """The file, once the download is on record. A team that has to accept the agreement first is told so on its page."""
    package = get_object_or_404(DataPackage, campaign=campaign, pk=package_id)
    try:
        content = content_for(request, campaign, package)
    except Refused as refused:
        if refused.code not in {"not_agreed", "not_now", "not_open"}:
            raise Http404 from refused
        messages.error(request, str(refused))
        return redirect("team", campaign.slug)
    return as_file(package, content)


def content_for(request: HttpRequest, campaign: Campaign, package: DataPackage) -> Iterator[bytes]:
    """Errors: `NotPossible`; `NotNow` for the inputs of a task before its runs; `Http404` for a participant without a team."""
    person = person_of(request)
    is_organizer = has_role(person, campaign, Role.ORGANIZER)
    team = None if is_organizer else team_of(person, campaign)
    if team is None and not is_organizer:
        raise Http404
    at = timezone.now()
    check_may_download(package, team, at)
    return download_package(package=package, person=person, team=team, at=at)


def as_file(package: DataPackage, pieces: Iterator[bytes]) -> Download:
    """Django writes the name so that no header can break; nothing is shown in the browser itself."""
    answer = Download(pieces, name="", content_type="application/octet-stream")
    answer["Content-Disposition"] = content_disposition_header(True, package.file_name)
    answer["Content-Length"] = str(package.size)
    return answer


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
@tells_refusal
def own_bot(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """GET shows one system of the team; POST changes its address."""
    entry = _own_entry(request, campaign, entry_id)
    if request.method != "POST":
        return _bot_page(request, entry)
    try:
        if is_to_find_out(request):
            return found_page(request, _try_form(campaign, entry))
        form = _address_in(request, entry)
        change_own_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _bot_page(request, entry, bad)
    messages.success(request, _("The address is saved. Open dialogues follow within two minutes."))
    return redirect("own-bot", campaign.slug, entry.pk)


def _own_entry(request: HttpRequest, campaign: Campaign, entry_id: int) -> Entry:
    """Errors: `Http404` for a bot of another team."""
    return get_object_or_404(entries_of(_own_team(request, campaign), campaign), pk=entry_id)


def _address_in(request: HttpRequest, entry: Entry) -> AddressForm:
    """What was typed; of a frozen bot the secret alone is asked for. Errors: `BadForm`."""
    if not request.POST.get("only_secret"):
        return read_address(address_fields(request.POST), ADAPTERS)
    secret = read_secret(request.POST.get("secret", ""))
    # The stored rest is not read again: a file may have entered options that no form knows.
    return AddressForm(url=entry.url, protocol=entry.protocol, options=entry.options, secret=secret)


def _bot_page(
    request: HttpRequest,
    entry: Entry,
    bad: BadForm | None = None,
    issued: str = "",
    not_taken_out: Fields | None = None,
) -> HttpResponse:
    campaign, now = entry.campaign, timezone.now()
    # A system that was sent back is changed while the campaign lasts; after the freeze, of any other the secret alone.
    doing = Doing.ORGANIZE if is_sent_back(entry) else Doing.ENTER_BOT
    context = bot_context(request, bot_of(entry), bad, reverse("own-bot-key", args=[campaign.slug, entry.pk]), issued)
    more = {
        "team": entry.bot.team,
        "day": _day(entry),
        "practice": campaign.scenarios.declared().filter(is_practice=True),
        "failures": failures_of(entry),
        "transcripts": of_bot(entry),
        "closed": why_closed(campaign, doing, now),
        "may_change_secret": entry.withdrawn_at is None and is_open(campaign, Doing.ORGANIZE, now),
        "as_team": True,
        "reason_limit": REASON_LIMIT,
        "not_taken_out": not_taken_out,
    }
    status = 422 if bad else 409 if not_taken_out else 200
    return render(request, "team_desk/bot.html", context | more, status=status)


def bot_context(
    request: HttpRequest, bot: OwnBot, bad: BadForm | None, key_address: str, issued: str
) -> dict[str, Any]:
    """What the page of one bot shows its team as well as organizers; `issued` is the key that was just made."""
    entry = bot.entry
    return {
        "campaign": entry.campaign,
        "bot": bot,
        "entry": entry,
        "spans": [(_("last 24 hours"), bot.health.lately), (_("in all"), bot.health.ever)],
        "way": bot.way,
        "has_secret": entry.has_secret,
        "connection": bot.connection,
        "socket_address": socket_address(request),
        "key_address": key_address,
        "issued": issued,
        "shown_once": bool(issued),
        **bot_panel(entry, timezone.now()),
        **form_context(request, entry, bad),
    }


def _day(entry: Entry) -> dict[str, Any]:
    """The last 24 hours, as pictures for a wide and a narrow page, and by the hour."""
    at = timezone.localtime()
    cells = cells_of(calls_of(entry, at), at)
    return {
        "whole": whole_of(cells),
        "pictures": [picture_of(cells, width, n_hours) for width, n_hours in PICTURES],
        "hours": hours_of(cells)[::-1],
    }


@for_roles(Role.PARTICIPANT)
@form_on("own-bot")
@tells_refusal
def own_key(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """Makes or revokes the key of a system that connects itself; the answer is the one page that shows a new key."""
    entry = _own_entry(request, campaign, entry_id)
    issued = act_on_key(request, entry)
    return _bot_page(request, entry, issued=issued) if issued else redirect("own-bot", campaign.slug, entry.pk)


def act_on_key(request: HttpRequest, entry: Entry) -> str:
    """The key that was made; empty after one was revoked. Errors: as of those acts."""
    if request.POST.get("act") == "make":
        return make_key(entry, person_of(request))
    revoke_key(entry, person_of(request))
    messages.success(request, _("The key is revoked."))
    return ""


@for_roles(Role.PARTICIPANT)
@form_on("own-bot")
@tells_refusal
def submit(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    entry = _own_entry(request, campaign, entry_id)
    submit_bot(entry=entry, by=person_of(request), at=timezone.now())
    text = _("%(name)s is submitted. An organizer admits it or says why not.")
    messages.success(request, text % {"name": entry.bot.name})
    return redirect("own-bot", campaign.slug, entry.pk)


@for_roles(Role.PARTICIPANT)
@form_on("own-bot")
def take_out(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    entry = _own_entry(request, campaign, entry_id)
    because, void = request.POST.get("because", ""), void_assignments(campaign)
    try:
        take_out_bot(entry=entry, because=because, by=person_of(request), at=timezone.now(), void=void)
    except Refused as refused:
        return _bot_page(request, entry, not_taken_out={"because": because, "wrong": str(refused)})
    messages.success(request, _("%(name)s no longer takes part.") % {"name": entry.bot.name})
    return redirect("own-bot", campaign.slug, entry.pk)


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def try_own_bot(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    team = team_of(person_of(request), campaign)
    if team is None:
        return render(request, "team_desk/no_team.html", {"campaign": campaign}, status=404)
    return try_page(request, _try_form(campaign, chosen_entry(request, entries_of(team, campaign))))


def _try_form(campaign: Campaign, entry: Entry | None) -> TryForm:
    register = reverse("team", args=[campaign.slug])
    store = reverse("own-bot", args=[campaign.slug, entry.pk]) if entry else register
    return TryForm(campaign, entry, reverse("try-own-bot", args=[campaign.slug]), store, "participant")


@for_roles(Role.PARTICIPANT)
@require_GET
def own_transcript(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    dialogue = transcript_for(team_of(person_of(request), campaign), campaign, dialogue_id)
    context = {"campaign": campaign, "dialogue": dialogue, "turns": dialogue.turns.all()}
    return render(request, "team_desk/transcript.html", context)


@for_roles(Role.PARTICIPANT)
@require_GET
def own_report(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    """After publication: the system's figures, dialogues and failures beside the others' means."""
    entry = _own_entry(request, campaign, entry_id)
    context = {"campaign": campaign, "entry": entry, "report": report_of(entry), "reason_limit": REASON_LIMIT}
    return render(request, "team_desk/report.html", context)


@for_roles(Role.PARTICIPANT)
@require_http_methods(["GET", "HEAD", "POST"])
def objections(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """GET lists what the team objected to, with the answers; POST objects."""
    team = _own_team(request, campaign)
    if request.method != "POST":
        return _objections_page(request, campaign, team)
    said, because = request.POST, request.POST.get("because", "")
    dialogue, turn = subject_of(team, campaign, said.get("dialogue", ""), whole_or_none(said.get("turn", "")))
    against, by, at = said.get("against", ""), person_of(request), timezone.now()
    try:
        object_to(dialogue=dialogue, turn=turn, against=against, text=because, by=by, at=at)
    except Refused as refused:
        return _objections_page(request, campaign, team, {"because": because, "wrong": str(refused)})
    messages.success(request, _("The objection is stored. The organizers answer it here."))
    return redirect("own-objections", campaign.slug)


def _objections_page(
    request: HttpRequest, campaign: Campaign, team: Team, not_done: Fields | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "objections": objections_of(team, campaign), "not_done": not_done}
    return render(request, "team_desk/objections.html", context, status=409 if not_done else 200)


@for_roles(Role.PARTICIPANT)
@form_on("own-bot")
def begin_practice(request: HttpRequest, campaign: Campaign, entry_id: int) -> HttpResponse:
    entry = _own_entry(request, campaign, entry_id)
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
    """The console of the person's own practice dialogue with a bot of their team."""
    own = Dialogue.everything.filter(origin=Dialogue.Origin.PRACTICE, tester=person_of(request))
    own = own.filter(assignment__campaign=campaign, assignment__entry__bot__team=_own_team(request, campaign))
    named = own.with_names().select_related("assignment__entry__bot")
    dialogue = get_object_or_404(named, pk=dialogue_id)
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
