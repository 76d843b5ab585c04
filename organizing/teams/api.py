"""REST: the same as the organizer's pages of teams, by the same rules."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from campaigns.access import campaign_for
from campaigns.actions import change_address, register_bot
from campaigns.models import Campaign, Entry, Role
from organizing.participating.api import text_in
from organizing.participating.documents import agreement_document, bot_document, package_document
from organizing.participating.own_bots import OwnBot, own_bots
from organizing.teams.bot_acts import act_on
from organizing.teams.listing import TeamRow, teams_of
from organizing.teams.views import team_named
from participants.adapters import PROTOCOLS
from participants.bot_form import read_address, read_bot
from registration.actions import (
    approve_application,
    refuse_application,
    remove_package,
    upload_package,
    write_agreement,
)
from registration.actions.agreeing import TEXT_LIMIT as AGREEMENT_LIMIT
from registration.agreed import current_agreement
from registration.applying_api import application_document
from registration.models import DataPackage


class OrganizersView(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    def campaign(self, request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)


class Teams(OrganizersView):
    def get(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        return Response([team_document(row) for row in teams_of(campaign, timezone.now())])


class TeamBots(OrganizersView):
    """POST registers a bot for a team of the campaign: `team`, and what a team says itself."""

    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        team = team_named(campaign, text_in(request, "team"))
        form = read_bot({name: value for name, value in fields_of(request).items() if name != "team"}, PROTOCOLS)
        made = register_bot(campaign=campaign, team=team, form=form, by=person_of(request), at=timezone.now())
        return Response(with_alias(bot_of(made)), status=201)


class OneTeamBot(OrganizersView):
    """PUT changes the address; POST pauses, resumes or withdraws: `act` and `because`."""

    def entry(self, request: Request, slug: str, entry_id: int) -> Entry:
        entries = self.campaign(request, slug).entries.select_related("bot__team", "campaign")
        return get_object_or_404(entries, pk=entry_id)

    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        return Response(with_alias(bot_of(self.entry(request, slug, entry_id))))

    def put(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, form = self.entry(request, slug, entry_id), read_address(fields_of(request), PROTOCOLS)
        changed = change_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
        return Response(with_alias(bot_of(changed)))

    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, act = self.entry(request, slug, entry_id), text_in(request, "act")
        act_on(entry, act, text_in(request, "because"), by=person_of(request), at=timezone.now())
        return Response(with_alias(bot_of(entry)))


class Applications(OrganizersView):
    def get(self, request: Request, slug: str) -> Response:
        applications = self.campaign(request, slug).applications.with_names()
        return Response(
            [application_document(one) | {"applicant": one.applicant.username} for one in applications[:1000]]
        )


class OneApplication(OrganizersView):
    """POST answers it: `act` is `approve` (with `joins` for a team that takes part already) or `refuse` with `because`."""

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

    def get(self, request: Request, slug: str) -> Response:
        return Response(agreement_document(current_agreement(self.campaign(request, slug))))

    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        texts = {name: text_in(request, name, AGREEMENT_LIMIT) for name in ("text_zh", "text_en")}
        written = write_agreement(campaign=campaign, by=person_of(request), at=timezone.now(), **texts)
        return Response(agreement_document(written), status=201)


class Packages(OrganizersView):
    """POST uploads a file: multipart with `file` and `about`."""

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    def get(self, request: Request, slug: str) -> Response:
        packages = self.campaign(request, slug).packages.filter(removed_at=None).prefetch_related("downloads__person")
        return Response([with_downloads(one) for one in packages])

    def post(self, request: Request, slug: str) -> Response:
        campaign, file = self.campaign(request, slug), request.FILES.get("file")
        made = upload_package(
            campaign=campaign,
            file_name=file.name or "" if file else "",
            content=file.read() if file else b"",
            about=str(fields_of(request).get("about", "")),
            by=person_of(request),
            at=timezone.now(),
        )
        return Response(package_document(made), status=201)


class OnePackage(OrganizersView):
    def delete(self, request: Request, slug: str, package_id: int) -> Response:
        package = get_object_or_404(DataPackage, campaign=self.campaign(request, slug), pk=package_id)
        remove_package(package=package, by=person_of(request), at=timezone.now())
        return Response(status=204)


def bot_of(entry: Entry) -> OwnBot:
    listed = Entry.objects.filter(pk=entry.pk).select_related("bot__team", "campaign")
    (bot,) = own_bots(listed, timezone.now())
    return bot


def with_alias(bot: OwnBot) -> dict[str, Any]:
    return {"alias": bot.entry.alias, "team": bot.entry.bot.team.name} | bot_document(bot)


def team_document(row: TeamRow) -> dict[str, Any]:
    return {
        "name": row.team.name,
        "name_en": row.team.name_en,
        "members": row.members,
        "accepted_at": row.acceptance.at.isoformat() if row.acceptance else None,
        "bots": [with_alias(bot) for bot in row.bots],
    }


def with_downloads(package: DataPackage) -> dict[str, Any]:
    downloads = [{"person": one.person.username, "at": one.at.isoformat()} for one in package.downloads.all()]
    return package_document(package) | {"downloads": downloads}
