"""REST: an invitation, for programs that follow its link."""

from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, check_whole, person_of
from accounts.link_tokens import LinkUnusable, Unusable
from accounts.passwords.api import Gone
from api.answers import From, encoded
from api.describing import describes
from registration.actions.applying import NameTaken
from registration.actions.inviting import OtherTeam, accept_invitation, invitation_of, join
from registration.invitation_texts import why_unusable
from registration.models import Invitation
from registration.newcomer_form import NEWCOMER, name_is_taken, newcomer_of


class NotForYou(APIException):
    status_code = 409
    default_code = "other_team"
    default_detail = gettext_lazy("You take part for another team of this campaign.")


class OfferAnswer(TypedDict):
    campaign: Annotated[str | None, From("campaign.slug")]
    roles: list[str]
    team: Annotated[str | None, From("team.name")]
    team_en: Annotated[str, From("team.name_en", "")]
    staff: Annotated[bool, From("for_staff")]
    expires_at: datetime


class AcceptedOffer(OfferAnswer):
    person: str


class InvitationByToken(APIView):
    """GET says what it offers; POST accepts it with the account that asks, or makes one from `username` and `password`."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Says what an invitation offers", OfferAnswer, refuses=(410,))
    def get(self, request: Request, token: str) -> Invitation:
        return invitation_of(token, timezone.now())

    @describes(
        "Accepts an invitation with the account that asks, or makes one",
        AcceptedOffer,
        201,
        reads=NEWCOMER,
        refuses=(409, 410),
    )
    def post(self, request: Request, token: str) -> dict[str, Any]:
        at = timezone.now()
        invited = invitation_of(token, at)
        if request.user.is_authenticated:
            check_whole(request)
            person = person_of(request)
            accept_invitation(token=token, person=person, at=at)
        else:
            person = join(token=token, newcomer=newcomer_of(request), at=at)
        return encoded(AcceptedOffer, invited, person=person.username)

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(_problem_of(exc))


def _problem_of(error: Exception) -> Exception:
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
