"""REST: the same as the organizer's pages of teams, by the same rules."""

from typing import TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, listed
from api.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from campaigns.access import campaign_for
from campaigns.actions import change_address, register_bot
from campaigns.models import Campaign, Entry, Role
from organizing.participating.api import text_in
from organizing.participating.dial_keys import make_key, revoke_key
from organizing.participating.documents import (
    AgreementDocument,
    BotDocument,
    KeyAnswer,
    PackageDocument,
    agreement_document,
    bot_document,
    package_document,
)
from organizing.participating.find_api import FIND, FoundDocument, found_answer
from organizing.participating.own_bots import OwnBot, own_bots
from organizing.participating.try_api import TRY, TriedDocument, tried_answer
from organizing.teams.bot_acts import BOT_ACTS, act_on
from organizing.teams.listing import TeamRow, teams_of
from organizing.teams.views import team_named
from participants.adapters import ADAPTERS
from participants.bot_form import AddressForm, BotForm, read_address, read_bot
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, FLAG, TEXT, Choice, Text
from reading.tables import Field, Table, table_of
from registration.actions import (
    approve_application,
    refuse_application,
    remove_package,
    upload_package,
    write_agreement,
)
from registration.actions.agreeing import TEXT_LIMIT as AGREEMENT_LIMIT
from registration.agreed import current_agreement
from registration.applying_api import ApplicationAnswer, application_document
from registration.models import DataPackage

NEW_BOT = Table({"team": Field(TEXT), **table_of(BotForm).fields})
BOT_ACT = Table({"act": Field(Choice(BOT_ACTS)), "because": Field(ANY_TEXT, "")}, keeps_others=True)
APPLICATION_ACT = Table(
    {"act": Field(Choice(("approve", "refuse"))), "because": Field(ANY_TEXT, ""), "joins": Field(FLAG, False)},
    keeps_others=True,
)
AGREEMENT = Table(
    {name: Field(Text(AGREEMENT_LIMIT, may_be_empty=True), "") for name in ("text_zh", "text_en")}, keeps_others=True
)


class TeamBotAnswer(BotDocument):
    """`key` is what the campaign's file calls the bot."""

    key: str
    alias: str
    team: str
    team_en: str


class TeamAnswer(TypedDict):
    name: str
    name_en: str
    members: list[str]
    accepted_at: Moment | None
    bots: list[TeamBotAnswer]


class ApplicationRow(ApplicationAnswer):
    applicant: str


class DownloadAnswer(TypedDict):
    person: str
    at: Moment


class PackageRow(PackageDocument):
    downloads: list[DownloadAnswer]


class OrganizersView(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    def campaign(self, request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)


class Teams(OrganizersView):
    @describes("Lists the teams of a campaign with their bots", list[TeamAnswer], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return listed(request, teams_of(campaign, timezone.now()), team_document)


class TeamBots(OrganizersView):
    """POST registers a bot for a team of the campaign: `team`, and what a team says itself."""

    @describes("Registers a bot for a team", TeamBotAnswer, 201, reads=NEW_BOT, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        team = team_named(campaign, text_in(request, "team"))
        form = read_bot({name: value for name, value in fields_of(request).items() if name != "team"}, ADAPTERS)
        made = register_bot(campaign=campaign, team=team, form=form, by=person_of(request), at=timezone.now())
        return Response(with_alias(bot_of(made)), status=201)


class BotsView(OrganizersView):
    def entry(self, request: Request, slug: str, entry_id: int) -> Entry:
        entries = self.campaign(request, slug).entries.select_related("bot__team", "campaign")
        return get_object_or_404(entries, pk=entry_id)


class TryTeamBot(OrganizersView):
    """POST makes one call with one word, as a team's own; `bot` is any of the campaign's."""

    @describes("Tries an address with one call", TriedDocument, reads=TRY, refuses=(422,))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return tried_answer(request, campaign, campaign.entries.select_related("bot__team", "campaign"))


class FindTeamProtocol(OrganizersView):
    """POST asks `url` by OPTIONS and GET, as a team's own; `bot` is any of the campaign's."""

    @describes("Asks a URL which protocol it speaks", FoundDocument, reads=FIND, refuses=(422,))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return found_answer(request, campaign, campaign.entries.select_related("bot__team", "campaign"))


class TeamBotKey(BotsView):
    """POST makes the key of a bot that connects itself and is the one answer that has it; DELETE revokes it."""

    @describes("Makes the key of a bot that connects itself; only this answer holds it", KeyAnswer, 201, refuses=(409,))
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        return Response(KeyAnswer(key=make_key(self.entry(request, slug, entry_id), person_of(request))), status=201)

    @describes("Revokes the key of a bot", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, entry_id: int) -> Response:
        revoke_key(self.entry(request, slug, entry_id), person_of(request))
        return Response(status=204)


class OneTeamBot(BotsView):
    """PUT changes the address; POST does what `act` names, with `because`: pause, resume, withdraw, admit, send_back …"""

    @describes("Gives one bot with its alias, state and health", TeamBotAnswer)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        return Response(with_alias(bot_of(self.entry(request, slug, entry_id))))

    @describes("Changes the address of a bot", TeamBotAnswer, reads=AddressForm, refuses=(409, 422))
    def put(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, form = self.entry(request, slug, entry_id), read_address(fields_of(request), ADAPTERS)
        changed = change_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
        return Response(with_alias(bot_of(changed)))

    @describes(
        "Pauses, resumes, withdraws, admits, sends back or freezes a bot",
        TeamBotAnswer,
        reads=BOT_ACT,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, act = self.entry(request, slug, entry_id), text_in(request, "act")
        act_on(entry, act, text_in(request, "because"), by=person_of(request), at=timezone.now())
        entry.refresh_from_db()
        return Response(with_alias(bot_of(entry)))


class Applications(OrganizersView):
    @describes("Lists the applications of teams", list[ApplicationRow], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        applications = self.campaign(request, slug).applications.with_names()
        return listed(
            request, applications, lambda one: {**application_document(one), "applicant": one.applicant.username}
        )


class OneApplication(OrganizersView):
    """POST answers it: `act` is `approve` (with `joins` for a team that takes part already) or `refuse` with `because`."""

    @describes("Approves or refuses an application", ApplicationAnswer, reads=APPLICATION_ACT, refuses=(409, 422))
    def post(self, request: Request, slug: str, application_id: int) -> Response:
        application = get_object_or_404(self.campaign(request, slug).applications, pk=application_id)
        by, at = person_of(request), timezone.now()
        if text_in(request, "act") == "approve":
            approve_application(application=application, by=by, at=at, joins=fields_of(request).get("joins") is True)
        elif text_in(request, "act") == "refuse":
            refuse_application(application=application, by=by, because=text_in(request, "because"), at=at)
        else:
            raise ValidationError({"act": [_("Say approve or refuse.")]})
        application.refresh_from_db()
        return Response(application_document(application))


class AgreementInForce(OrganizersView):
    """POST puts the next version into force: `text_zh`, `text_en`."""

    @describes("Gives the agreement in force; null where there is none", AgreementDocument | None)
    def get(self, request: Request, slug: str) -> Response:
        return Response(agreement_document(current_agreement(self.campaign(request, slug))))

    @describes(
        "Puts the next version of the agreement into force",
        AgreementDocument | None,
        201,
        reads=AGREEMENT,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        texts = {name: text_in(request, name, AGREEMENT_LIMIT) for name in ("text_zh", "text_en")}
        written = write_agreement(campaign=campaign, by=person_of(request), at=timezone.now(), **texts)
        return Response(agreement_document(written), status=201)


class Packages(OrganizersView):
    """POST uploads a file: multipart with `file` and `about`."""

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes("Lists the data packages with who downloaded them", list[PackageRow], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        packages = self.campaign(request, slug).packages.filter(removed_at=None).prefetch_related("downloads__person")
        return listed(request, packages.order_by("pk"), with_downloads)

    @describes("Uploads a data package", PackageDocument, 201, uploads={"about": ANY_TEXT}, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign, file = self.campaign(request, slug), request.FILES.get("file")
        made = upload_package(
            campaign=campaign,
            file_name=file.name or "" if file else "",
            content=file,
            about=str(fields_of(request).get("about", "")),
            by=person_of(request),
            at=timezone.now(),
        )
        return Response(package_document(made), status=201)


class OnePackage(OrganizersView):
    @describes("Removes a data package", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, package_id: int) -> Response:
        package = get_object_or_404(DataPackage, campaign=self.campaign(request, slug), pk=package_id)
        remove_package(package=package, by=person_of(request), at=timezone.now())
        return Response(status=204)


def bot_of(entry: Entry) -> OwnBot:
    listed = Entry.objects.filter(pk=entry.pk).select_related("bot__team", "campaign")
    (bot,) = own_bots(listed, timezone.now())
    return bot


def with_alias(bot: OwnBot) -> TeamBotAnswer:
    entry, team = bot.entry, bot.entry.bot.team
    return {"key": entry.key, "alias": entry.alias, "team": team.name, "team_en": team.name_en, **bot_document(bot)}


def team_document(row: TeamRow) -> TeamAnswer:
    return {
        "name": row.team.name,
        "name_en": row.team.name_en,
        "members": row.members,
        "accepted_at": row.acceptance.at.isoformat() if row.acceptance else None,
        "bots": [with_alias(bot) for bot in row.bots],
    }


def with_downloads(package: DataPackage) -> PackageRow:
    downloads: list[DownloadAnswer] = [
        {"person": one.person.username, "at": one.at.isoformat()} for one in package.downloads.all()
    ]
    return {**package_document(package), "downloads": downloads}
