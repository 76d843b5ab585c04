"""REST: an invitation, for programs that follow its link."""

from typing import Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, check_whole, person_of
from accounts.describing import describes
from accounts.link_tokens import LinkUnusable, Unusable
from registration.actions.inviting import NameTaken, OtherTeam, accept_invitation, invitation_of, join
from registration.invitation_texts import why_unusable
from registration.models import Invitation
from registration.newcomer_form import NewcomerForm
from scoring.json_schemas import Moment
from scoring.kinds import ANY_TEXT, Text
from scoring.tables import Field, Table


class Gone(APIException):
    """`code` says why: used, expired, withdrawn."""

    status_code = 410


class NotForYou(APIException):
    status_code = 409
    default_code = "other_team"
    default_detail = gettext_lazy("You take part for another team of this campaign.")


NEWCOMER = Table(
    {
        "username": Field(Text(150), ""),
        "password": Field(ANY_TEXT, ""),
        "display_name": Field(Text(150, may_be_empty=True), ""),
        "email": Field(Text(254, may_be_empty=True), ""),
    },
    keeps_others=True,
)


class OfferAnswer(TypedDict):
    campaign: str | None
    roles: list[str]
    team: str | None
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
            person = join(token=token, newcomer=_form_of(request).newcomer, at=at)
        return Response({**offered(invited), "person": person.username}, status=201)

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(_answer_to(exc))


def _form_of(request: Request) -> NewcomerForm:
    said: dict[str, Any] = request.data  # type: ignore[assignment] # our parser lets objects through only
    password = said.get("password", "")
    form = NewcomerForm(dict(said) | {"password1": password, "password2": password})
    if not form.is_valid():
        errors: Any = {
            "password" if name.startswith("password") else name: list(many) for name, many in form.errors.items()
        }
        raise ValidationError(errors)
    return form


def _answer_to(error: Exception) -> Exception:
    match error:
        case LinkUnusable(why=Unusable.UNKNOWN):
            return NotFound()
        case LinkUnusable(why=why):
            return Gone(why_unusable(why), why.value)
        case OtherTeam():
            return NotForYou()
        case NameTaken():
            return ValidationError({"username": [_("Somebody has just taken this name: choose another.")]})
    return error


def offered(invitation: Invitation) -> OfferAnswer:
    campaign, team = invitation.campaign, invitation.team
    return {
        "campaign": campaign.slug if campaign else None,
        "roles": invitation.roles,
        "team": team.name if team else None,
        "staff": invitation.for_staff,
        "expires_at": invitation.expires_at.isoformat(),
    }
