"""REST: the API tokens of one's programs. GET lists, POST makes one, DELETE revokes it."""

from datetime import datetime, timedelta
from typing import Annotated, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.actions import TOKEN_LASTS, Issued, issue_token_row, lasting, revoke_token
from accounts.models import ApiToken
from accounts.scopes import Scope
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.token_pages import scopes_of
from reading.kinds import Text, Whole
from reading.tables import Field, Table

WANTED = Table(
    {
        "name": Field(Text(60)),
        "campaign": Field(Text(60, may_be_empty=True), ""),
        "role": Field(Text(12, may_be_empty=True), ""),
        "days": Field(Whole(1), TOKEN_LASTS.days),
    },
    keeps_others=True,
)


class TokenAnswer(TypedDict):
    token_key: str
    name: str
    campaign: str
    role: str
    made: Annotated[datetime, From("created")]
    expires: Annotated[datetime | None, From("expiry")]
    last_used: Annotated[datetime | None, From("used_at")]


class IssuedToken(TypedDict):
    token: str
    expires: Annotated[datetime, From("stored.expiry")]


class Tokens(APIView):
    access = PEOPLE

    @describes("Lists one's API tokens, the latest first", list[TokenAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        check_whole(request)
        own = ApiToken.objects.filter(user=person_of(request)).order_by("-created", "pk")
        return page_of(request, own)

    @describes("Makes an API token; only this answer holds it", IssuedToken, 201, reads=WANTED)
    def post(self, request: Request) -> Issued:
        """The answer is the one that holds the token. A token makes none that outlives it."""
        check_whole(request)
        person, wanted = person_of(request), body_in(request, WANTED)
        scope = Scope(wanted["role"], wanted["campaign"])
        if scope not in [offered for offered, _words in scopes_of(person)]:
            raise ValidationError({"campaign": [_("You hold no such role in such a campaign.")]})
        lasts = min(lasting(wanted["days"]), _left_of(request))
        return issue_token_row(person=person, name=wanted["name"].strip(), scope=scope, lasts=lasts, by=person)


class OneToken(APIView):
    access = PEOPLE

    @describes("Revokes a token", None, 204)
    def delete(self, request: Request, token_key: str) -> None:
        check_whole(request)
        person = person_of(request)
        if not revoke_token(person=person, token_key=token_key, by=person):
            raise NotFound


def _left_of(request: Request) -> timedelta:
    """For how long the credential of this request lasts, if it is a token."""
    expiry = getattr(request.auth, "expiry", None)
    return expiry - timezone.now() if expiry else timedelta(days=settings.TOKEN_DAYS_AT_MOST)
