"""REST: an invitation, for programs that follow its link."""

from typing import TypedDict

from django.utils import timezone
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, check_whole, person_of
from accounts.link_tokens import LinkUnusable, Unusable
from api.describing import describes
from reading.json_schemas import Moment
from registration.actions.applying import NameTaken
from registration.actions.inviting import OtherTeam, accept_invitation, invitation_of, join
from registration.invitation_texts import why_unusable
from registration.models import Invitation
from registration.newcomer_fields import NEWCOMER, name_is_taken, newcomer_of


class Gone(APIException):
    """`code` says why: used, expired, withdrawn."""

    status_code = 410


class NotForYou(APIException):
    status_code = 409
    default_code = "other_team"
    default_detail = gettext_lazy("You take part for another team of this campaign.")


class OfferAnswer(TypedDict):
    campaign: str | None
    roles: list[str]
    team: str | None
    team_en: str
    staff: bool
    expires_at: Moment


class AcceptedOffer(OfferAnswer):
    person: str


class InvitationByToken(APIView):
    """GET says what it offers; POST accepts it with the account that asks, or makes one from `username` and `password`."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Says what an invitation offers", OfferAnswer, refuses=(410,))
    def get(self, request: Request, token: str) -> Response:
        return Response(offered(invitation_of(token, timezone.now())))

    @describes(
        "Accepts an invitation with the account that asks, or makes one",
        AcceptedOffer,
        201,
        reads=NEWCOMER,
        refuses=(409, 410),
    )
    def post(self, request: Request, token: str) -> Response:
        at = timezone.now()
        invited = invitation_of(token, at)
        if request.user.is_authenticated:
            check_whole(request)
            person = person_of(request)
            accept_invitation(token=token, person=person, at=at)
        else:
            person = join(token=token, newcomer=newcomer_of(request), at=at)
        return Response({**offered(invited), "person": person.username}, status=201)

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(_answer_to(exc))


def _answer_to(error: Exception) -> Exception:
    match error:
        case LinkUnusable(why=Unusable.UNKNOWN):
            return NotFound()
        case LinkUnusable(why=why):
            return Gone(why_unusable(why), why.value)
        case OtherTeam():
            return NotForYou()
        case NameTaken():
            return name_is_taken()
    return error


def offered(invitation: Invitation) -> OfferAnswer:
    campaign, team = invitation.campaign, invitation.team
    return {
        "campaign": campaign.slug if campaign else None,
        "roles": invitation.roles,
        "team": team.name if team else None,
        "team_en": team.name_en if team else "",
        "staff": invitation.for_staff,
        "expires_at": invitation.expires_at.isoformat(),
    }
