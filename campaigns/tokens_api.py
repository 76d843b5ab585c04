"""REST: the API tokens of one's programs. GET lists, POST makes one, DELETE revokes it."""

from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.actions import TOKEN_LASTS, issue_token_row, lasting, revoke_token
from accounts.models import ApiToken
from accounts.scopes import Scope
from api.describing import describes
from api.paging import PAGES, listed
from campaigns.token_pages import scopes_of


class TokenSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    campaign = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    role = serializers.CharField(max_length=12, required=False, default="", allow_blank=True)
    days = serializers.IntegerField(min_value=1, required=False, default=TOKEN_LASTS.days)


class TokenAnswer(TypedDict):
    token_key: str
    name: str
    campaign: str
    role: str
    made: datetime
    expires: datetime | None
    last_used: datetime | None


class IssuedToken(TypedDict):
    token: str
    expires: datetime


class Tokens(APIView):
    access = PEOPLE

    @describes("Lists one's API tokens, the latest first", list[TokenAnswer], asks=PAGES)
    def get(self, request: Request) -> Response:
        check_whole(request)
        own = ApiToken.objects.filter(user=person_of(request)).order_by("-created", "pk")
        return listed(request, own, answer_of)

    @describes("Makes an API token; only this answer holds it", IssuedToken, 201, reads=TokenSerializer)
    def post(self, request: Request) -> Response:
        """The answer is the one that holds the token. A token makes none that outlives it."""
        check_whole(request)
        said = TokenSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        person, wanted = person_of(request), said.validated_data
        scope = Scope(wanted["role"], wanted["campaign"])
        if scope not in [offered for offered, _words in scopes_of(person)]:
            raise ValidationError({"campaign": [_("You hold no such role in such a campaign.")]})
        lasts = min(lasting(wanted["days"]), _left_of(request))
        issued = issue_token_row(person=person, name=wanted["name"], scope=scope, lasts=lasts, by=person)
        return Response(IssuedToken(token=issued.token, expires=issued.stored.expiry), status=201)


class OneToken(APIView):
    access = PEOPLE

    @describes("Revokes a token", None, 204)
    def delete(self, request: Request, token_key: str) -> Response:
        check_whole(request)
        person = person_of(request)
        if not revoke_token(person=person, token_key=token_key, by=person):
            raise NotFound
        return Response(status=204)


def answer_of(token: ApiToken) -> TokenAnswer:
    return {
        "token_key": token.token_key,
        "name": token.name,
        "campaign": token.campaign,
        "role": token.role,
        "made": token.created,
        "expires": token.expiry,
        "last_used": token.used_at,
    }


def _left_of(request: Request) -> timedelta:
    """For how long the credential of this request lasts, if it is a token."""
    expiry = getattr(request.auth, "expiry", None)
    return expiry - timezone.now() if expiry else timedelta(days=settings.TOKEN_DAYS_AT_MOST)
