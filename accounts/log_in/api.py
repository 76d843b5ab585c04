"""REST: a program logs in by name and password; where a browser begins a session, it gets a token."""

from datetime import datetime
from typing import TypedDict

from django.contrib.auth import authenticate
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN
from accounts.actions import TOKEN_LASTS, lasting
from accounts.log_in.actions import give_guesses_back, log_program_in
from accounts.log_in.handler import code_guess_of, guess_of
from accounts.log_in.recording import network_details, note_wrong_code
from accounts.models import Person
from accounts.own_api import PASSWORD_TEXT, check_is_free
from accounts.second_factor.actions import use_code
from api.describing import describes
from api.parsers import body_in
from reading.kinds import Text, Whole
from reading.tables import Field, Table

CREDENTIALS = Table(
    {
        "username": Field(Text(150)),
        "password": Field(PASSWORD_TEXT),
        "code": Field(Text(20, may_be_empty=True), ""),
        "name": Field(Text(60, may_be_empty=True), ""),
        "days": Field(Whole(1), TOKEN_LASTS.days),
    }
)


class LogInAnswer(TypedDict):
    person: str
    token: str
    expires: datetime


class LogIn(APIView):
    """POST `username` and `password`, with a second factor its `code`, too. `name` is what one's list of tokens calls the program, `days` how long the token
    lasts: at most as long as the site allows, and `expires` says until when.

    Guesses are taken from the budgets of the log-in page.
    """

    access = OPEN
    permission_classes = (AllowAny,)

    @describes(
        "Makes an API token by name and password; only this answer holds it",
        LogInAnswer,
        201,
        reads=CREDENTIALS,
        refuses=(422,),
    )
    def post(self, request: Request) -> Response:
        said = body_in(request, CREDENTIALS)
        person = _who_knows(request, said["username"], said["password"])
        if person.has_second_factor:
            _check_code(request, person, said["code"])
        issued = log_program_in(
            person=person,
            name=said["name"],
            lasts=lasting(said["days"]),
            details=network_details(request._request),
            at=timezone.now(),
        )
        # As after a log-in: only now, since the password alone lets nobody in who has a second factor.
        give_guesses_back(guess=guess_of(request._request, person.get_username()))
        answer = LogInAnswer(person=person.username, token=issued.token, expires=issued.stored.expiry)
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})


def _who_knows(request: Request, username: str, password: str) -> Person:
    """Errors: `Throttled` where the guess was not looked at, `AuthenticationFailed`, the same for known and unknown names."""
    person = authenticate(request._request, username=username, password=password)
    if until := getattr(request._request, "refused_until", None):
        raise Throttled(wait=(until - timezone.now()).total_seconds())
    if not isinstance(person, Person):
        raise AuthenticationFailed(_("User name and password do not match."), "wrong_password")
    return person


def _check_code(request: Request, person: Person, code: str) -> None:
    """Errors: `Throttled`, `AuthenticationFailed` with code `code_needed` or `wrong_code`."""
    if not code:
        raise AuthenticationFailed(_("This account has a second factor: send its `code`, too."), "code_needed")
    guess = code_guess_of(request._request, person.username)
    check_is_free(guess)
    if not use_code(person=person, code=code):
        note_wrong_code(request._request, person)
        raise AuthenticationFailed(_("This code is wrong."), "wrong_code")
    give_guesses_back(guess=guess)
