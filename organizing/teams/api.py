"""REST: the same as the organizer's pages of teams, by the same rules."""

from typing import Annotated, TypedDict

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import StrictJSONParser, StrictMultiPartParser, body_in, fields_of
from automatic_tasks.inputs import packages_of
from campaigns.access import OrganizersView
from campaigns.actions import change_address, register_bot
from campaigns.models import Entry
from organizing.teams.bot_acts import BOT_ACTS, act_on
from organizing.teams.listing import team_named, teams_of
from organizing.teams.views import uploaded
from participants.adapters import ADAPTERS
from participants.adapters.trying import Tried
from participants.bot_form import AddressForm, BotForm, read_address, read_bot
from participants.limits import NAME_LIMIT
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, FLAG, TEXT, Choice, Text
from reading.tables import Field, Table, table_of
from registration.actions import (
    approve_application,
    ask_team,
    refuse_application,
    remove_package,
    withdraw_team_request,
    write_agreement,
)
from registration.actions.agreeing import TEXT_LIMIT as AGREEMENT_LIMIT
from registration.agreements import current_agreement
from registration.applying_api import ApplicationAnswer
from registration.models import Application, DataPackage, TeamRequest
from team_desk.answers import (
    AgreementDocument,
    BotDocument,
    FoundDocument,
    PackageDocument,
    TriedDocument,
    agreement_document,
)
from team_desk.api import FIND, TRY, BotsView, KeyOfBot, find_in, try_in
from team_desk.own_bots import OwnBot, bot_of
from team_desk.trying import Found

NEW_BOT = Table({"team": Field(TEXT), **table_of(BotForm).fields})
BOT_ACT = Table({"act": Field(Choice(BOT_ACTS)), "because": Field(ANY_TEXT, "")}, keeps_others=True)
APPLICATION_ACT = Table(
    {"act": Field(Choice(("approve", "refuse"))), "because": Field(ANY_TEXT, ""), "joins": Field(FLAG, False)},
    keeps_others=True,
)
# An unknown act is refused by its own sentence, a missing one as an unknown one.
NAMED_ACT = Table({"act": Field(ANY_TEXT, ""), "because": Field(ANY_TEXT, "")}, keeps_others=True)
TEAM = Table({"team": Field(ANY_TEXT, "")}, keeps_others=True)
AGREEMENT = Table(
    {name: Field(Text(AGREEMENT_LIMIT, may_be_empty=True), "") for name in ("text_zh", "text_en")}, keeps_others=True
)


ASKED = Table({"name": Field(Text(NAME_LIMIT))}, keeps_others=True)
# A missing name is refused as an empty one, with a sentence of its own.
ANY_NAME = Table({"name": Field(ANY_TEXT, "")}, keeps_others=True)


class TeamBotAnswer(BotDocument):
    """`key` is what the campaign's file calls the bot."""

    key: Annotated[str, From("entry.key")]
    alias: Annotated[str, From("entry.alias")]
    team: Annotated[str, From("entry.bot.team.name")]
    team_en: Annotated[str, From("entry.bot.team.name_en")]


class TeamAnswer(TypedDict):
    name: Annotated[str, From("team.name")]
    name_en: Annotated[str, From("team.name_en")]
    members: list[str]
    accepted_at: Annotated[Moment | None, From("acceptance.at")]
    bots: list[TeamBotAnswer]


class ApplicationRow(ApplicationAnswer):
    applicant: Annotated[str, From("applicant.username")]


class DownloadAnswer(TypedDict):
    person: Annotated[str, From("person.username")]
    at: Moment


class PackageRow(PackageDocument):
    downloads: Annotated[list[DownloadAnswer], From("downloads.all")]


class TeamRequestDocument(TypedDict):
    """`answered_by` is the member who accepted. Whether a team of that name was found or declined is not told."""

    id: Annotated[int, From("pk")]
    name: str
    state: str
    asked_at: Moment
    answered_by: Annotated[str | None, From("answered_by.username")]


class TeamBotsView(OrganizersView, BotsView):
    @property
    def entries(self) -> QuerySet[Entry]:
        return self.campaign.entries.select_related("bot__team", "campaign")


class Teams(OrganizersView):
    @describes("Lists the teams of a campaign with their bots", list[TeamAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, teams_of(self.campaign, timezone.now()))


class TeamBots(OrganizersView):
    """POST registers a bot for a team of the campaign: `team`, and what a team says itself."""

    @describes("Registers a bot for a team", TeamBotAnswer, 201, reads=NEW_BOT, refuses=(409, 422))
    def post(self, request: Request) -> OwnBot:
        team = team_named(self.campaign, body_in(request, TEAM)["team"])
        form = read_bot({name: value for name, value in fields_of(request).items() if name != "team"}, ADAPTERS)
        by, at = person_of(request), timezone.now()
        return bot_of(register_bot(campaign=self.campaign, team=team, form=form, by=by, at=at))


class TryTeamBot(TeamBotsView):
    """POST makes one call with one word, as a team's own; `bot` is any of the campaign's."""

    @describes("Tries an address with one call", TriedDocument, reads=TRY, refuses=(422,))
    def post(self, request: Request) -> Tried:
        return try_in(request, self.campaign, self.entries)


class FindTeamProtocol(TeamBotsView):
    """POST asks `url` by OPTIONS and GET, as a team's own; `bot` is any of the campaign's."""

    @describes("Asks a URL which protocol it speaks", FoundDocument, reads=FIND, refuses=(422,))
    def post(self, request: Request) -> Found:
        return find_in(request, self.campaign, self.entries)


class TeamBotKey(TeamBotsView, KeyOfBot):
    pass


class OneTeamBot(TeamBotsView):
    """PUT changes the address; POST does what `act` names, with `because`: pause, resume, withdraw, admit, send_back …"""

    @describes("Gives one bot with its alias, state and health", TeamBotAnswer)
    def get(self, request: Request, entry_id: int) -> OwnBot:
        return bot_of(self.entry(entry_id))

    @describes("Changes the address of a bot", TeamBotAnswer, reads=AddressForm, refuses=(409, 422))
    def put(self, request: Request, entry_id: int) -> OwnBot:
        entry, form = self.entry(entry_id), read_address(fields_of(request), ADAPTERS)
        return bot_of(change_address(entry=entry, form=form, by=person_of(request), at=timezone.now()))

    @describes(
        "Pauses, resumes, withdraws, admits, sends back or freezes a bot",
        TeamBotAnswer,
        reads=BOT_ACT,
        refuses=(409, 422),
    )
    def post(self, request: Request, entry_id: int) -> OwnBot:
        entry, body = self.entry(entry_id), body_in(request, NAMED_ACT)
        act_on(entry, body["act"], body["because"], by=person_of(request), at=timezone.now())
        return bot_of(entry)


class Applications(OrganizersView):
    @describes("Lists the applications of teams", list[ApplicationRow], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, self.campaign.applications.with_names())


class OneApplication(OrganizersView):
    """POST answers it: `act` is `approve` (with `joins` for a team that takes part already) or `refuse` with `because`."""

    @describes("Approves or refuses an application", ApplicationAnswer, reads=APPLICATION_ACT, refuses=(409, 422))
    def post(self, request: Request, application_id: int) -> Application:
        application = get_object_or_404(self.campaign.applications, pk=application_id)
        body, by, at = body_in(request, NAMED_ACT), person_of(request), timezone.now()
        if body["act"] == "approve":
            approve_application(application=application, by=by, at=at, joins=fields_of(request).get("joins") is True)
        elif body["act"] == "refuse":
            refuse_application(application=application, by=by, because=body["because"], at=at)
        else:
            raise ValidationError({"act": [_("Say approve or refuse.")]})
        application.refresh_from_db()
        return application


class TeamRequests(OrganizersView):
    """GET lists them, POST asks the teams of that name in other campaigns."""

    @describes("Lists the requests to teams of other campaigns", list[TeamRequestDocument], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, self.campaign.team_requests.select_related("answered_by"))

    @describes(
        "Asks a team of another campaign to take part", TeamRequestDocument, 201, reads=ASKED, refuses=(409, 422)
    )
    def post(self, request: Request) -> TeamRequest:
        name = body_in(request, ANY_NAME)["name"]
        return ask_team(campaign=self.campaign, name=name, by=person_of(request), at=timezone.now())


class OneTeamRequest(OrganizersView):
    """DELETE withdraws it; a team that accepted and has nothing here yet is not known here any more."""

    @describes("Withdraws a request to a team", None, 204, refuses=(409,))
    def delete(self, request: Request, team_request_id: int) -> None:
        asked = get_object_or_404(self.campaign.team_requests, pk=team_request_id)
        withdraw_team_request(request=asked, by=person_of(request), at=timezone.now())


class AgreementInForce(OrganizersView):
    """POST puts the next version into force: `text_zh`, `text_en`."""

    @describes("Gives the agreement in force; null where there is none", AgreementDocument | None)
    def get(self, request: Request) -> AgreementDocument | None:
        return agreement_document(current_agreement(self.campaign))

    @describes(
        "Puts the next version of the agreement into force",
        AgreementDocument | None,
        201,
        reads=AGREEMENT,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> AgreementDocument | None:
        texts = body_in(request, AGREEMENT)
        by, at = person_of(request), timezone.now()
        return agreement_document(write_agreement(campaign=self.campaign, by=by, at=at, **texts))


class Packages(OrganizersView):
    """POST uploads a file: multipart with `file` and `about`; with `task` it is the inputs of that task, and opens with its runs."""

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes("Lists the data packages with who downloaded them", list[PackageRow], asks=PAGES)
    def get(self, request: Request) -> Page:
        packages = packages_of(self.campaign).prefetch_related("downloads__person")
        return page_of(request, packages.order_by("pk"))

    @describes(
        "Uploads a data package, or the inputs of a `task`",
        PackageDocument,
        201,
        uploads={"about": ANY_TEXT, "task": ANY_TEXT},
        refuses=(409, 422),
    )
    def post(self, request: Request) -> DataPackage:
        return uploaded(self.campaign, request.FILES.get("file"), fields_of(request), person_of(request))


class OnePackage(OrganizersView):
    @describes("Removes a data package", None, 204, refuses=(409,))
    def delete(self, request: Request, package_id: int) -> None:
        package = get_object_or_404(DataPackage, campaign=self.campaign, pk=package_id)
        remove_package(package=package, by=person_of(request), at=timezone.now())
