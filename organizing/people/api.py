"""REST: the people of a campaign and its invitations, by the same acts and rules as the pages."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.link_addresses import address_of
from accounts.link_tokens import LinkUnusable
from accounts.passwords.actions import HANDED_OVER_FOR, make_password_link
from api.describing import describes
from api.paging import PAGES, page_of
from campaigns.access import campaign_for
from campaigns.actions import PreviewIsOld, ReasonNeeded
from campaigns.actions.leaving import CannotTakeOver
from campaigns.actions.people import (
    WITH_WORK,
    LastOrganizer,
    NothingToPause,
    give_role,
    pause_person,
    resume_person,
    take_role,
)
from campaigns.models import Campaign, Role
from organizing.people.answers import (
    InvitationAnswer,
    InvitationsAnswer,
    LeaveAnswer,
    NewInvitation,
    NewInvitations,
    PasswordLinkAnswer,
    PausedAnswer,
    PeopleAnswer,
    PersonAnswer,
    RoleAnswer,
)
from organizing.people.invitation_views import invitation_in
from organizing.people.leave_views import do_leave, heirs_of, preview_of, role_with_work
from organizing.people.password_links import may_make_password_link
from organizing.people.people_page import PersonRow, people_of
from organizing.people.views import person_in
from participants.limits import REASON_LIMIT
from reading.kinds import LIST, Choice, Text, Whole
from registration.actions.inviting import DAYS, MOST_DAYS, invite, renew_invitation, withdraw_invitation
from registration.invitation_lines import BadInvitations, read_invitees
from registration.invitation_texts import letter_of, role_words, why_unusable
from registration.models import Invitation
from reviews.actions.leaving import CannotReview, OldPreview
from testing_console.serializers import KindField

JSON = dict[str, Any]


class RoleSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=Role.values)


class GivingSerializer(RoleSerializer):
    because = KindField(Text(REASON_LIMIT))


class ReasonSerializer(serializers.Serializer[Any]):
    because = KindField(Text(REASON_LIMIT))


class LeaveSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=[role.value for role in WITH_WORK], required=False, default="")
    to = KindField(Text(150), required=False, default="")
    previewed = KindField(Text(64), required=False, default="")


class LeavingSerializer(LeaveSerializer):
    because = KindField(Text(REASON_LIMIT))


class InviteSerializer(serializers.Serializer[Any]):
    """`people` is the pasted list of the page: one line per person."""

    people = KindField(Text(100_000))
    roles = KindField(LIST, required=False, default=list)
    team = KindField(Text(200), required=False, default="")
    days = KindField(Whole(1, MOST_DAYS), required=False, default=DAYS)

    def validate_roles(self, roles: list[Any]) -> list[str]:
        if wrong := [role for role in roles if role not in Role.values]:
            raise serializers.ValidationError(_("There is no role %(role)s.") % {"role": wrong[0]})
        return roles


class Refused(APIException):
    status_code = 409


class OrganizingView(APIView):
    """Answers what the actions refuse, each with its code."""

    access = Access("roles", (Role.ORGANIZER,))

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(_answer_to(exc))

    @staticmethod
    def campaign(request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)


def _answer_to(error: Exception) -> Exception:
    match error:
        case LastOrganizer():
            return Refused(_("This is the last organizer."), "last_organizer")
        case NothingToPause():
            return Refused(_("The person does not test or review, or is already paused."), "nothing_to_pause")
        case CannotTakeOver() | CannotReview():
            return Refused(_("The named person cannot take the work over."), "cannot_take_over")
        case PreviewIsOld() | OldPreview():
            return Refused(_("The preview is out of date: look at it again."), "preview_is_old")
        case LinkUnusable(why=why):
            return Refused(why_unusable(why), why.value)
        case ReasonNeeded():
            return ValidationError({"because": [str(error)]})
        case BadInvitations(problems=problems):
            return ValidationError({"people": [str(problem) for problem in problems]})
    return error


def _read(serializer: type[serializers.Serializer[Any]], said: Any) -> JSON:
    read = serializer(data=said)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


class People(OrganizingView):
    @describes("Lists the people of a campaign", PeopleAnswer, asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        page = page_of(request, people_of(self.campaign(request, slug)))
        return Response({"people": [_shown(row) for row in page.rows]}, headers=page.headers)


class OnePerson(OrganizingView):
    @describes("Gives one person of a campaign", PersonAnswer)
    def get(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        (row,) = people_of(campaign, [person_in(campaign, person_id).pk])
        return Response(_shown(row))


class PersonRoles(OrganizingView):
    """POST gives a role; DELETE takes one back that has no work to hand on, `?role=` naming it; each with a reason."""

    @describes("Gives a person a role", RoleAnswer, 201, reads=GivingSerializer, refuses=(409,))
    def post(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        said = _read(GivingSerializer, request.data)
        role, person = Role(said["role"]), person_in(campaign, person_id)
        give_role(
            campaign=campaign,
            person=person,
            role=role,
            because=said["because"],
            by=person_of(request),
            at=timezone.now(),
        )
        return Response({"role": role.value}, status=201)

    @describes(
        "Takes a role back that has no work to hand on",
        None,
        204,
        asks={"role": Choice(Role.values)},
        reads=ReasonSerializer,
        refuses=(409,),
    )
    def delete(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        role = Role(_read(RoleSerializer, {"role": request.query_params.get("role")})["role"])
        person = person_in(campaign, person_id)
        if role in WITH_WORK:
            raise Refused(_("Testers and reviewers leave with a preview of what moves: see leave/."), "has_work")
        because = _read(ReasonSerializer, request.data)["because"]
        take_role(
            campaign=campaign, person=person, role=role, because=because, by=person_of(request), at=timezone.now()
        )
        return Response(status=204)


class PersonPause(OrganizingView):
    """POST pauses the person; DELETE lets them go on; each with a reason."""

    @describes("Pauses a person", PausedAnswer, 201, reads=ReasonSerializer, refuses=(409,))
    def post(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        person, because = person_in(campaign, person_id), _read(ReasonSerializer, request.data)["because"]
        pause_person(campaign=campaign, person=person, because=because, by=person_of(request), at=timezone.now())
        return Response({"paused": True}, status=201)

    @describes("Lets a person go on", None, 204, reads=ReasonSerializer, refuses=(409,))
    def delete(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        person, because = person_in(campaign, person_id), _read(ReasonSerializer, request.data)["because"]
        resume_person(campaign=campaign, person=person, because=because, by=person_of(request), at=timezone.now())
        return Response(status=204)


class PersonLeave(OrganizingView):
    """GET `?role=&to=` says what would move; POST does it, if `previewed` (the digest) still says the same."""

    @describes(
        "Says what would move if a person left",
        LeaveAnswer,
        asks={"role": Choice([role.value for role in WITH_WORK]), "to": Text(150)},
        refuses=(409,),
    )
    def get(self, request: Request, slug: str, person_id: int) -> Response:
        return self._answer(request, slug, person_id, request.query_params.dict(), is_done=False)

    @describes(
        "Has a person leave, if `previewed` still says what moves", LeaveAnswer, reads=LeavingSerializer, refuses=(409,)
    )
    def post(self, request: Request, slug: str, person_id: int) -> Response:
        return self._answer(request, slug, person_id, request.data, is_done=True)

    def _answer(self, request: Request, slug: str, person_id: int, said: Any, *, is_done: bool) -> Response:
        campaign = self.campaign(request, slug)
        leaver = person_in(campaign, person_id)
        asked = _read(LeavingSerializer if is_done else LeaveSerializer, said)
        role = role_with_work(campaign, leaver, asked["role"])
        heirs = {heir.username: heir for heir in heirs_of(campaign, leaver, role)}
        if asked["to"] and asked["to"] not in heirs:
            raise CannotTakeOver
        to = heirs.get(asked["to"])
        preview = preview_of(campaign, leaver, role, to)
        if is_done:
            do_leave(campaign, leaver, role, to, asked["previewed"], asked["because"], person_of(request))
        shares = [{"person": one.name, "now": one.n_now, "then": one.n_then} for one in preview.shares]
        return Response(
            {"moved": preview.n_moved, "short": preview.n_short, "shares": shares, "previewed": preview.digest}
        )


class PasswordLink(OrganizingView):
    """POST makes a link that sets the person's password; it can be read only in this answer."""

    @describes(
        "Makes a link that sets the person's password; only this answer holds it",
        PasswordLinkAnswer,
        201,
        refuses=(409,),
    )
    def post(self, request: Request, slug: str, person_id: int) -> Response:
        campaign = self.campaign(request, slug)
        person, by, at = person_in(campaign, person_id), person_of(request), timezone.now()
        if not may_make_password_link(by, person):
            raise Refused(_("The person takes part elsewhere, too."), "takes_part_elsewhere")
        token = make_password_link(person=person, by=by, at=at, campaign=campaign.slug)
        address = address_of(reverse("set-password", args=[token]), request)
        return Response({"link": address, "expires_at": (at + HANDED_OVER_FOR).isoformat()}, status=201)


class Invitations(OrganizingView):
    """GET lists all invitations; POST makes some, and its answer is the only place where their links can be read."""

    @describes("Lists the invitations of a campaign", InvitationsAnswer, asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        found = Invitation.objects.of_campaign(self.campaign(request, slug)).with_names()
        page = page_of(request, found)
        return Response({"invitations": [_listed(one) for one in page.rows]}, headers=page.headers)

    @describes(
        "Invites people; only this answer holds the links", NewInvitations, 201, reads=InviteSerializer, refuses=(409,)
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        asked = _read(InviteSerializer, request.data)
        invitees = read_invitees(asked["people"], roles=asked["roles"], team=asked["team"], role_words=role_words())
        invited = invite(
            campaign=campaign, invitees=invitees, by=person_of(request), at=timezone.now(), days=asked["days"]
        )
        return Response({"invitations": [_with_link(request, one) for one in invited]}, status=201)


class OneInvitation(OrganizingView):
    """DELETE withdraws it."""

    @describes("Withdraws an invitation", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        invitation = invitation_in(self.campaign(request, slug), invitation_id)
        withdraw_invitation(invitation=invitation, by=person_of(request), at=timezone.now())
        return Response(status=204)


class RenewedInvitation(OrganizingView):
    """POST gives it another link."""

    @describes("Gives an invitation another link", NewInvitation, refuses=(409,))
    def post(self, request: Request, slug: str, invitation_id: int) -> Response:
        invitation = invitation_in(self.campaign(request, slug), invitation_id)
        return Response(
            _with_link(request, renew_invitation(invitation=invitation, by=person_of(request), at=timezone.now()))
        )


def _shown(row: PersonRow) -> PersonAnswer:
    person, pause = row.person, row.pause
    return {
        "id": person.pk,
        "username": person.username,
        "name": person.display_name,
        "roles": [role.role for role in row.roles],
        "team": row.team.name if row.team else None,
        "team_en": row.team.name_en if row.team else "",
        "barred_by": row.barred_by,
        "seen_at": row.seen_at.isoformat() if row.seen_at else None,
        "work": [{"role": one.role.value, "done": one.n_done, "left": one.n_left} for one in row.work],
        "paused_at": pause.paused_at.isoformat() if pause and pause.paused_at else None,
        "paused_because": pause.paused_because if pause else None,
    }


def _listed(invitation: Invitation) -> InvitationAnswer:
    return {
        "id": invitation.pk,
        "name": invitation.name,
        "email": invitation.email,
        "roles": invitation.roles,
        "team": invitation.team.name if invitation.team else None,
        "team_en": invitation.team.name_en if invitation.team else "",
        "state": invitation.state_at(timezone.now()).value,
        "made_at": invitation.made_at.isoformat(),
        "made_by": invitation.made_by.username if invitation.made_by else None,
        "expires_at": invitation.expires_at.isoformat(),
        "used_at": invitation.used_at.isoformat() if invitation.used_at else None,
        "used_by": invitation.used_by.username if invitation.used_by else None,
        "withdrawn_at": invitation.withdrawn_at.isoformat() if invitation.withdrawn_at else None,
    }


def _with_link(request: Request, invited: Any) -> NewInvitation:
    letter = letter_of(invited, request)
    return {**_listed(invited.invitation), "link": letter.address, "texts": letter.texts}
