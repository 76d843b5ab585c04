"""REST: the same as a team's pages, by the same rules."""

from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, SINCE, Digits, asked_in, listed, page_of, pages_of
from api.parsers import fields_of
from campaigns.access import campaign_for, team_of
from campaigns.actions import submit_bot, take_out_bot
from campaigns.models import Campaign, Entry, Role
from organizing.participating.data_views import as_file, content_for
from organizing.participating.dial_keys import make_key, revoke_key
from organizing.participating.documents import (
    AgreementDocument,
    BotDocument,
    KeyAnswer,
    OwnDialogueDocument,
    OwnFailureDocument,
    OwnTranscriptDocument,
    TeamDocument,
    agreement_document,
    bot_document,
    dialogue_document,
    failure_document,
    package_document,
    transcript_document,
)
from organizing.participating.own_bots import entries_of, own_bots
from organizing.participating.own_failures import SHOWN, failed_calls, shown_failures
from organizing.participating.own_transcripts import released_to, transcript_for
from organizing.queries import void_assignments
from participants.adapters import ADAPTERS
from participants.bot_form import AddressForm, BotForm, read_address, read_bot
from participants.models import Team
from reading.checking import BadForm, Problems
from reading.kinds import ANY_TEXT, TEXT_LIMIT, Text, Whole
from reading.tables import Field, Table
from registration.actions import accept_agreement, change_own_address, register_own_bot
from registration.agreed import acceptance_of, current_agreement
from registration.models import DataPackage
from registration.refusals import NotPossible

BECAUSE = Table({"because": Field(ANY_TEXT, "")}, keeps_others=True)


# `bot` is the id of one of the team's bots.
RELEASED = {**PAGES, "bot": Digits(2**31 - 1), "scenario": ANY_TEXT, "since": SINCE}


class TeamsView(APIView):
    access = Access("roles", (Role.PARTICIPANT,))

    def campaign(self, request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.PARTICIPANT)

    def team(self, request: Request, campaign: Campaign) -> Team:
        """Errors: `NotPossible` for a participant without a team."""
        team = team_of(person_of(request), campaign)
        if team is None:
            raise NotPossible("no_team")
        return team

    def entry(self, request: Request, slug: str, entry_id: int) -> Entry:
        """Errors: `Http404` for what is no bot of the own team."""
        campaign = self.campaign(request, slug)
        entry = entries_of(self.team(request, campaign), campaign).filter(pk=entry_id).first()
        if entry is None:
            raise Http404
        return entry


def document_of(entry: Entry) -> BotDocument:
    (bot,) = own_bots(
        entry.campaign.entries.filter(pk=entry.pk).select_related("bot__team", "campaign"), timezone.now()
    )
    return bot_document(bot)


class OwnTeam(TeamsView):
    """The team, its bots with state and health, the agreement, and the data packages."""

    @describes("Gives the team with its bots, the agreement and the data packages", TeamDocument, refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        team, agreement = self.team(request, campaign), current_agreement(campaign)
        return Response(
            {
                "name": team.name,
                "name_en": team.name_en,
                "agreement": agreement_document(agreement, acceptance_of(agreement, team)),
                "bots": [bot_document(bot) for bot in own_bots(entries_of(team, campaign), timezone.now())],
                "packages": [package_document(one) for one in campaign.packages.filter(removed_at=None)],
            }
        )


class OwnBots(TeamsView):
    """POST registers a bot: `name`, `url`, `protocol`, `secret`, `options`."""

    @describes("Registers a bot of the own team", BotDocument, 201, reads=BotForm, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        team, form = self.team(request, campaign), read_bot(fields_of(request), ADAPTERS)
        made = register_own_bot(campaign=campaign, team=team, form=form, by=person_of(request), at=timezone.now())
        return Response(document_of(made), status=201)


class OneOwnBot(TeamsView):
    """PUT changes the address (without `secret` the stored one stays), DELETE withdraws a bot that no tester has talked to."""

    @describes("Gives a bot of the own team with its state and health", BotDocument, refuses=(409,))
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        return Response(document_of(self.entry(request, slug, entry_id)))

    @describes(
        "Changes the address of a bot; without `secret` the stored one stays",
        BotDocument,
        reads=AddressForm,
        refuses=(409, 422),
    )
    def put(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, form = self.entry(request, slug, entry_id), read_address(fields_of(request), ADAPTERS)
        changed = change_own_address(entry=entry, form=form, by=person_of(request), at=timezone.now())
        return Response(document_of(changed))

    @describes("Withdraws a bot that no tester has talked to", BotDocument, reads=BECAUSE, refuses=(409, 422))
    def delete(self, request: Request, slug: str, entry_id: int) -> Response:
        entry, because = self.entry(request, slug, entry_id), text_in(request, "because")
        void = void_assignments(entry.campaign)
        gone = take_out_bot(entry=entry, because=because, by=person_of(request), at=timezone.now(), void=void)
        return Response(document_of(gone))


class OwnKey(TeamsView):
    """POST makes the key of a bot that connects itself and is the one answer that has it; DELETE revokes it."""

    @describes("Makes the key of a bot that connects itself; only this answer holds it", KeyAnswer, 201, refuses=(409,))
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        return Response(KeyAnswer(key=make_key(self.entry(request, slug, entry_id), person_of(request))), status=201)

    @describes("Revokes the key of a bot", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, entry_id: int) -> Response:
        revoke_key(self.entry(request, slug, entry_id), person_of(request))
        return Response(status=204)


class SubmitOwnBot(TeamsView):
    """POST asks an organizer to admit the draft."""

    @describes("Asks an organizer to admit a draft", BotDocument, refuses=(409,))
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        submitted = submit_bot(entry=self.entry(request, slug, entry_id), by=person_of(request), at=timezone.now())
        return Response(document_of(submitted))


class OwnFailures(TeamsView):
    @describes(
        "Lists the failures of a bot of the own team, the latest first",
        list[OwnFailureDocument],
        asks=pages_of(SHOWN),
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        entry = self.entry(request, slug, entry_id)
        # What is on a page is looked up for that page alone; the request of each failure is rebuilt, by a mapping of the
        # team's own, on the thread that everybody shares.
        page = page_of(request, failed_calls(entry), most=SHOWN)
        return Response([failure_document(one) for one in shown_failures(entry, page.rows)], headers=page.headers)


class OwnDialogues(TeamsView):
    """The team's dialogues, once the campaign releases them; before, none."""

    @describes(
        "Lists the team's dialogues, once the campaign releases them",
        list[OwnDialogueDocument],
        asks=RELEASED,
        refuses=(409,),
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        released = released_to(self.team(request, campaign), campaign)
        asked = asked_in(request, RELEASED)
        if "bot" in asked:
            released = released.filter(assignment__entry=asked["bot"])
        if "scenario" in asked:
            released = released.filter(assignment__scenario__key=asked["scenario"])
        if "since" in asked:
            released = released.filter(closed_at__gte=asked["since"])
        return listed(request, released, dialogue_document)


class OneOwnDialogue(TeamsView):
    @describes("Gives the transcript of a released dialogue", OwnTranscriptDocument, refuses=(409,))
    def get(self, request: Request, slug: str, dialogue_id: UUID) -> Response:
        campaign = self.campaign(request, slug)
        found = transcript_for(self.team(request, campaign), campaign, dialogue_id)
        return Response(transcript_document(found))


class OwnAgreement(TeamsView):
    """POST accepts the version that was read: `version`."""

    @describes(
        "Accepts the version of the agreement that was read",
        AgreementDocument,
        201,
        reads=Table({"version": Field(Whole(0, 2**31 - 1))}, keeps_others=True),
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        team, version = self.team(request, campaign), whole_in(request, "version")
        accepted = accept_agreement(
            campaign=campaign, team=team, person=person_of(request), version=version, at=timezone.now()
        )
        return Response(agreement_document(accepted.agreement, accepted), status=201)


class PackageFile(FileView):
    access = Access("roles", (Role.PARTICIPANT, Role.ORGANIZER))

    @describes("Downloads a data package", FileOf(("application/octet-stream",)), refuses=(409,))
    def get(self, request: Request, slug: str, package_id: int) -> HttpResponseBase:
        campaign = campaign_for(request.user, slug, Role.PARTICIPANT, Role.ORGANIZER)
        package = get_object_or_404(DataPackage, campaign=campaign, pk=package_id)
        return as_file(package, content_for(request, campaign, package))


def text_in(request: Request, name: str, limit: int = TEXT_LIMIT) -> str:
    """A text of the body, empty where it is missing. Errors: `BadForm`."""
    problems = Problems()
    text: str | None = Text(limit, may_be_empty=True).read(fields_of(request).get(name, ""), "", name, problems)
    problems.refuse(BadForm)
    return text or ""


def whole_in(request: Request, name: str) -> int:
    """A whole number of the body. Errors: `BadForm`."""
    problems = Problems()
    number: int | None = Whole(0, 2**31 - 1).read(fields_of(request).get(name), "", name, problems)
    problems.refuse(BadForm)
    return number or 0
