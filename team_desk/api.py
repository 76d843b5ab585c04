"""REST: the same as a team's pages, by the same rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.answers import encoded
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, SINCE, Digits, Page, asked_in, page_of, pages_of
from api.parsers import body_in, fields_of
from automatic_tasks.inputs import packages_of, told_to_teams
from campaigns.access import RolesView, team_of
from campaigns.actions import submit_bot, take_out_bot
from campaigns.models import Campaign, Entry, Role
from dialogues.actions.objecting import object_to
from dialogues.actions.opening import open_practice
from dialogues.models import Dialogue, Objection
from dialogues.queries import void_assignments
from participants.adapters import ADAPTERS
from participants.adapters.trying import Tried
from participants.bot_form import AddressForm, BotForm, read_address, read_bot
from participants.limits import MESSAGE_LIMIT
from participants.models import Team
from reading.kinds import ANY_TEXT, FLAG, Choice, Text, Whole
from reading.tables import Field, Table, table_of
from registration.actions import accept_agreement, answer_team_request, change_own_address, register_own_bot
from registration.agreements import acceptance_of, current_agreement
from registration.models import DataPackage, TeamRequest
from registration.refusals import NotPossible
from team_desk.answers import (
    AgreementDocument,
    AskedDocument,
    BotDocument,
    DayDocument,
    FoundDocument,
    KeyAnswer,
    ObjectionDocument,
    OwnDialogueDocument,
    OwnFailureDocument,
    OwnTranscriptDocument,
    ReportDocument,
    TeamDocument,
    TriedDocument,
    agreement_document,
)
from team_desk.health_picture import cells_of, whole_of
from team_desk.own_bots import OwnBot, bot_of, calls_of, entries_of, make_key, own_bots, revoke_key
from team_desk.own_dialogues import SHOWN, failed_calls, released_to, shown_failures, transcript_for
from team_desk.own_objections import objections_of, subject_of
from team_desk.own_report import OwnReport, report_of
from team_desk.trying import Found, find_protocol, read_try, read_url, try_address
from team_desk.views import as_file, content_for
from testing_console.api import OpenedDialogue

ADDRESS: Mapping[str, Field] = table_of(AddressForm).fields
BESIDE: Mapping[str, Field] = {
    "word": Field(Text(MESSAGE_LIMIT, may_be_empty=True), ""),
    "bot": Field(Whole(0, 2**31 - 1), None),
}
# `bot` is the id of a system whose stored secret is used where none is given.
TRY = Table({**ADDRESS, **BESIDE})
FIND = Table({"url": ADDRESS["url"], "secret": ADDRESS["secret"], "bot": BESIDE["bot"]})
BECAUSE = Table({"because": Field(ANY_TEXT, "")}, keeps_others=True)
ANSWER = Table({"accepts": Field(FLAG)}, keeps_others=True)
OBJECTION = Table(
    {
        "dialogue": Field(ANY_TEXT),
        "turn": Field(Whole(0, 2**31 - 1), None),
        "against": Field(Choice(tuple(Objection.Against.values))),
        "text": Field(ANY_TEXT, ""),
    },
    keeps_others=True,
)
PRACTICE = Table({"scenario": Field(ANY_TEXT)}, keeps_others=True)
VERSION = Table({"version": Field(Whole(0, 2**31 - 1))}, keeps_others=True)

# `bot` is the id of one of the team's bots.
RELEASED = {**PAGES, "bot": Digits(2**31 - 1), "scenario": ANY_TEXT, "since": SINCE}
FILTERS = {"bot": "assignment__entry", "scenario": "assignment__scenario__key", "since": "closed_at__gte"}


class BotsView(RolesView):
    """Operations on bots of a campaign: on those of `entries`."""

    @property
    def entries(self) -> QuerySet[Entry]:
        raise NotImplementedError

    def entry(self, entry_id: int) -> Entry:
        """Errors: `Http404` for a bot that is none of `entries`."""
        return get_object_or_404(self.entries, pk=entry_id)


class KeyOfBot(BotsView):
    """POST makes the key of a bot that connects itself and is the one answer that has it; DELETE revokes it."""

    @describes("Makes the key of a bot that connects itself; only this answer holds it", KeyAnswer, 201, refuses=(409,))
    def post(self, request: Request, entry_id: int) -> KeyAnswer:
        return {"key": make_key(self.entry(entry_id), person_of(request))}

    @describes("Revokes the key of a bot", None, 204, refuses=(409,))
    def delete(self, request: Request, entry_id: int) -> None:
        revoke_key(self.entry(entry_id), person_of(request))


class TeamsView(BotsView):
    access = Access("roles", (Role.PARTICIPANT,))

    @cached_property
    def team(self) -> Team:
        """Errors: `NotPossible` for a participant without a team."""
        team = team_of(person_of(self.request), self.campaign)
        if team is None:
            raise NotPossible("no_team")
        return team

    @property
    def entries(self) -> QuerySet[Entry]:
        return entries_of(self.team, self.campaign)


class OwnTeam(TeamsView):
    """The team, its bots with state and health, the agreement, and the data packages."""

    @describes("Gives the team with its bots, the agreement and the data packages", TeamDocument, refuses=(409,))
    def get(self, request: Request) -> Any:
        team, agreement = self.team, current_agreement(self.campaign)
        return {
            "name": team.name,
            "name_en": team.name_en,
            "agreement": agreement_document(agreement, acceptance_of(agreement, team)),
            "bots": own_bots(self.entries, timezone.now()),
            "packages": told_to_teams(packages_of(self.campaign)),
        }


class OwnBots(TeamsView):
    """POST registers a bot: `name`, `url`, `protocol`, `secret`, `options`."""

    @describes("Registers a bot of the own team", BotDocument, 201, reads=BotForm, refuses=(409, 422))
    def post(self, request: Request) -> OwnBot:
        team, form = self.team, read_bot(fields_of(request), ADAPTERS)
        by, at = person_of(request), timezone.now()
        return bot_of(register_own_bot(campaign=self.campaign, team=team, form=form, by=by, at=at))


class OneOwnBot(TeamsView):
    """PUT changes the address (without `secret` the stored one stays), DELETE withdraws a bot that no tester has talked to."""

    @describes("Gives a bot of the own team with its state and health", BotDocument, refuses=(409,))
    def get(self, request: Request, entry_id: int) -> OwnBot:
        return bot_of(self.entry(entry_id))

    @describes(
        "Changes the address of a bot; without `secret` the stored one stays",
        BotDocument,
        reads=AddressForm,
        refuses=(409, 422),
    )
    def put(self, request: Request, entry_id: int) -> OwnBot:
        entry, form = self.entry(entry_id), read_address(fields_of(request), ADAPTERS)
        return bot_of(change_own_address(entry=entry, form=form, by=person_of(request), at=timezone.now()))

    @describes("Withdraws a bot that no tester has talked to", BotDocument, reads=BECAUSE, refuses=(409, 422))
    def delete(self, request: Request, entry_id: int) -> OwnBot:
        entry, because = self.entry(entry_id), body_in(request, BECAUSE)["because"]
        void = void_assignments(self.campaign)
        return bot_of(take_out_bot(entry=entry, because=because, by=person_of(request), at=timezone.now(), void=void))


class OwnKey(TeamsView, KeyOfBot):
    pass


class SubmitOwnBot(TeamsView):
    """POST asks an organizer to admit the draft."""

    @describes("Asks an organizer to admit a draft", BotDocument, refuses=(409,))
    def post(self, request: Request, entry_id: int) -> OwnBot:
        return bot_of(submit_bot(entry=self.entry(entry_id), by=person_of(request), at=timezone.now()))


class OwnBotHealth(TeamsView):
    @describes("Gives the last 24 hours of a bot of the own team in cells of ten minutes", DayDocument, refuses=(409,))
    def get(self, request: Request, entry_id: int) -> Any:
        entry, at = self.entry(entry_id), timezone.now()
        cells = cells_of(calls_of(entry, at), at)
        return encoded(DayDocument, whole_of(cells), cells=cells)


class OwnFailures(TeamsView):
    @describes(
        "Lists the failures of a bot of the own team, the latest first",
        list[OwnFailureDocument],
        asks=pages_of(SHOWN),
        refuses=(409,),
    )
    def get(self, request: Request, entry_id: int) -> Page:
        entry = self.entry(entry_id)
        # What is on a page is looked up for that page alone; the request of each failure is rebuilt, by a mapping of the
        # team's own, on the thread that everybody shares.
        page = page_of(request, failed_calls(entry), most=SHOWN)
        return replace(page, rows=shown_failures(entry, page.rows))


class OwnDialogues(TeamsView):
    """The team's dialogues, once the campaign releases them; before, none."""

    @describes(
        "Lists the team's dialogues, once the campaign releases them",
        list[OwnDialogueDocument],
        asks=RELEASED,
        refuses=(409,),
    )
    def get(self, request: Request) -> Page:
        released = released_to(self.team, self.campaign)
        filters = {FILTERS[name]: value for name, value in asked_in(request, RELEASED).items() if name in FILTERS}
        return page_of(request, released.filter(**filters))


class OneOwnDialogue(TeamsView):
    @describes("Gives the transcript of a released dialogue", OwnTranscriptDocument, refuses=(409,))
    def get(self, request: Request, dialogue_id: UUID) -> Dialogue:
        return transcript_for(self.team, self.campaign, dialogue_id)


class OwnAgreement(TeamsView):
    """POST accepts the version that was read: `version`."""

    @describes(
        "Accepts the version of the agreement that was read",
        AgreementDocument,
        201,
        reads=VERSION,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> AgreementDocument | None:
        team, version = self.team, body_in(request, VERSION)["version"]
        by, at = person_of(request), timezone.now()
        accepted = accept_agreement(campaign=self.campaign, team=team, person=by, version=version, at=at)
        return agreement_document(accepted.agreement, accepted)


class RequestsToTeam(TeamsView):
    @describes(
        "Lists the campaigns that ask the own team to take part", list[AskedDocument], asks=PAGES, refuses=(409,)
    )
    def get(self, request: Request) -> Page:
        return page_of(request, TeamRequest.objects.for_team(self.team).select_related("campaign"))


class RequestToTeam(TeamsView):
    """POST answers for the team: `accepts`."""

    @describes("Accepts or declines for the own team", None, 204, reads=ANSWER, refuses=(409,))
    def post(self, request: Request, team_request_id: int) -> None:
        asked = get_object_or_404(TeamRequest.objects.for_team(self.team), pk=team_request_id)
        accepts = fields_of(request).get("accepts") is True
        by, at = person_of(request), timezone.now()
        answer_team_request(request=asked, team=self.team, person=by, accepts=accepts, at=at)


class PackageFile(RolesView, FileView):
    access = Access("roles", (Role.PARTICIPANT, Role.ORGANIZER))

    @describes("Downloads a data package", FileOf(("application/octet-stream",)), refuses=(409,))
    def get(self, request: Request, package_id: int) -> HttpResponseBase:
        package = get_object_or_404(DataPackage, campaign=self.campaign, pk=package_id)
        return as_file(package, content_for(request, self.campaign, package))


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


class OwnReportOfBot(TeamsView):
    """GET gives what the team's page of the report shows; 404 before the publication."""

    @describes(
        "Gives the figures, dialogues and failures of a bot of the own team after publication",
        ReportDocument,
        refuses=(409,),
    )
    def get(self, request: Request, entry_id: int) -> OwnReport:
        return report_of(self.entry(entry_id))


class OwnObjections(TeamsView):
    """GET lists the team's objections, POST makes one."""

    @describes(
        "Lists what the own team objected to, the latest first", list[ObjectionDocument], asks=PAGES, refuses=(409,)
    )
    def get(self, request: Request) -> Page:
        return page_of(request, objections_of(self.team, self.campaign))

    @describes("Objects to a fault, a void or scores", ObjectionDocument, 201, reads=OBJECTION, refuses=(409, 422))
    def post(self, request: Request) -> Objection:
        said = body_in(request, OBJECTION)
        dialogue, turn = subject_of(self.team, self.campaign, said["dialogue"], said["turn"])
        made = {"against": said["against"], "text": said["text"]}
        return object_to(dialogue=dialogue, turn=turn, by=person_of(request), at=timezone.now(), **made)


class TryOwnBot(TeamsView):
    """POST makes one call with one word: the fields of an address, `word`, and `bot` for the secret of a stored one."""

    @describes("Tries an address of the own team's with one call", TriedDocument, reads=TRY, refuses=(409, 422))
    def post(self, request: Request) -> Tried:
        return try_in(request, self.campaign, self.entries)


class FindOwnProtocol(TeamsView):
    """POST asks `url` by OPTIONS and GET, nothing else; `secret` goes along, or with `bot` that of a stored system."""

    @describes("Asks a URL of the own team's which protocol it speaks", FoundDocument, reads=FIND, refuses=(409, 422))
    def post(self, request: Request) -> Found:
        return find_in(request, self.campaign, self.entries)


def try_in(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Tried:
    """Errors: `BadForm`, `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`, `Http404` for a `bot` that is none of `entries`."""
    beside = body_in(request, Table(BESIDE, keeps_others=True))
    address = {name: value for name, value in fields_of(request).items() if name not in BESIDE}
    typed = read_try(address, beside["word"] or _("Hello"), _entry_in(beside["bot"], entries))
    return try_address(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())


def find_in(request: Request, campaign: Campaign, entries: QuerySet[Entry]) -> Found:
    """Errors: as of `try_in`."""
    bot = body_in(request, FIND)["bot"]
    url, secret = read_url(fields_of(request), _entry_in(bot, entries))
    return find_protocol(campaign=campaign, url=url, secret=secret, by=person_of(request), at=timezone.now())


def _entry_in(number: int | None, entries: QuerySet[Entry]) -> Entry | None:
    return None if number is None else get_object_or_404(entries, pk=number)
