"""REST: one's own account: name and address, password, preferences, second factor; the same rules as its pages."""

from base64 import b32encode
from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import ValidationError as WrongValue
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, check_whole, person_of
from accounts.actions import change_details, choose_preferences, store_password
from accounts.log_in.actions import give_guesses_back, take_guess
from accounts.log_in.handler import code_guess_of, guess_of
from accounts.models import ApiToken, Person
from accounts.preferences import CHOICES
from accounts.second_factor.actions import (
    TurnedOn,
    begin_set_up,
    end_second_factor,
    finish_set_up,
    renew_backup_codes,
)
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from reading.kinds import ANY_TEXT, FLAG, Checked, Choice, Text
from reading.tables import Field, Table
from serving.refused import Refused

PASSWORD_TEXT = Text(1000)
DETAILS = Table(
    {
        "display_name": Field(Text(150, may_be_empty=True), None),
        "email": Field(Text(254, may_be_empty=True), None),
        "password": Field(ANY_TEXT, ""),
    }
)
NEW_PASSWORD = Table(
    {"old_password": Field(PASSWORD_TEXT), "new_password": Field(PASSWORD_TEXT), "tokens": Field(FLAG, True)}
)
PREFERENCES = Table({name: Field(Choice(sorted(choices)), None) for name, choices in CHOICES.items()})
CODE = Table(
    {
        "code": Field(Checked(Text(20), str.isascii, gettext_noop("must be the six digits of the app"))),
        "tokens": Field(FLAG, False),
    }
)
BY_PASSWORD = Table({"password": Field(PASSWORD_TEXT)})


class DetailsAnswer(TypedDict):
    username: str
    display_name: str
    email: str


class PreferencesAnswer(TypedDict):
    """An empty language is that of the request."""

    language: str
    theme: str


class ChangedPassword(TypedDict):
    """`n_tokens` are the API tokens that ended."""

    changed: bool
    n_tokens: int


class FactorAnswer(TypedDict):
    """`must` says whether the site wants one; `n_codes` are the backup codes that are left."""

    is_on: Annotated[bool, From("has_second_factor")]
    must: Annotated[bool, From("must_set_up_second_factor")]
    n_codes: Annotated[int, From(lambda person: StaticToken.objects.filter(device__user=person).count())]


class SecretAnswer(TypedDict):
    """For the app, in base 32 and as the address that a QR code holds. Until a code confirms it, it counts for nothing."""

    secret: Annotated[str, From(lambda device: b32encode(device.bin_key).decode())]
    address: Annotated[str, From("config_url")]


class CodesAnswer(TypedDict):
    """Only this answer holds them."""

    codes: Annotated[list[str], From("")]


class FactorStands(Refused):
    """The second factor is on, or off, already."""

    def __init__(self, text: str, code: str) -> None:
        super().__init__(text)
        self.code = code


class OwnAccount(APIView):
    access = PEOPLE

    def initial(self, request: Request, *args: Any, **named: Any) -> None:
        super().initial(request, *args, **named)
        check_whole(request)


class OwnDetails(OwnAccount):
    @describes("Gives one's own name and address", DetailsAnswer)
    def get(self, request: Request) -> Person:
        return person_of(request)

    @describes(
        "Changes one's own name or address; another address takes the password",
        DetailsAnswer,
        reads=DETAILS,
        refuses=(422,),
    )
    def patch(self, request: Request) -> Person:
        person, given = person_of(request), body_in(request, DETAILS)
        name = person.display_name if given["display_name"] is None else given["display_name"]
        email = person.email if given["email"] is None else given["email"]
        if email != person.email:
            try:
                if email:
                    validate_email(email)
            except WrongValue as wrong:
                raise ValidationError({"email": list(wrong.messages)}) from wrong
            check_password(request, person, given["password"])
        change_details(person=person, display_name=name, email=email, by=person, at=timezone.now())
        return person


class OwnPassword(OwnAccount):
    @describes(
        "Changes one's own password; other logins end, and other API tokens unless `tokens` is false",
        ChangedPassword,
        reads=NEW_PASSWORD,
        refuses=(422,),
    )
    def post(self, request: Request) -> ChangedPassword:
        person, given = person_of(request), body_in(request, NEW_PASSWORD)
        old, new = given["old_password"], given["new_password"]
        check_password(request, person, old, "old_password")
        form = PasswordChangeForm(person, {"old_password": old, "new_password1": new, "new_password2": new})
        if not form.is_valid():
            raise ValidationError({"new_password": [str(one) for many in form.errors.values() for one in many]})
        person.set_password(new)
        tokens = other_tokens(request, timezone.now()) if given["tokens"] else None
        n_tokens = store_password(person=person, by=person, tokens=tokens)
        if request.auth is None:
            update_session_auth_hash(request._request, person)
        return ChangedPassword(changed=True, n_tokens=n_tokens)


class OwnPreferences(OwnAccount):
    @describes("Gives one's own language and colours", PreferencesAnswer)
    def get(self, request: Request) -> Person:
        return person_of(request)

    @describes("Changes one's own language or colours", PreferencesAnswer, reads=PREFERENCES, refuses=(422,))
    def patch(self, request: Request) -> Person:
        given = body_in(request, PREFERENCES)
        chosen = {name: choice for name, choice in given.items() if choice is not None}
        return choose_preferences(person=person_of(request), chosen=chosen)


class SecondFactor(OwnAccount):
    """POST makes a secret for the app, which `confirm/` turns on; DELETE turns the second factor off."""

    @describes("Says whether one has a second factor", FactorAnswer)
    def get(self, request: Request) -> Person:
        return person_of(request)

    @describes("Makes a secret for an app; it counts once a code confirms it", SecretAnswer, 201, refuses=(409,))
    def post(self, request: Request) -> TOTPDevice:
        person = person_of(request)
        if person.has_second_factor:
            raise FactorStands(gettext_noop("Turn the second factor off first."), "is_on")
        return begin_set_up(person=person)

    @describes("Turns the second factor off", None, 204, reads=BY_PASSWORD, refuses=(409, 422))
    def delete(self, request: Request) -> None:
        end_second_factor(person=with_factor_and_password(request))


class ConfirmedFactor(OwnAccount):
    @describes(
        "Turns the second factor on by a code of the app; other logins end, those of programs, too, and with `tokens` all other API tokens",
        TurnedOn,
        reads=CODE,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> TurnedOn:
        person, given = person_of(request), body_in(request, CODE)
        guess = code_guess_of(request._request, person.username)
        check_is_free(guess)
        turned_on = finish_set_up(
            person=person,
            code=given["code"],
            session_key="" if request.auth else str(request.session.session_key),
            token=request.auth if isinstance(request.auth, ApiToken) else None,
            tokens=other_tokens(request, timezone.now()) if given["tokens"] else None,
        )
        if turned_on is None:
            raise ValidationError({"code": [_("This code is wrong.")]})
        give_guesses_back(guess=guess)
        return turned_on


class BackupCodes(OwnAccount):
    @describes(
        "Makes new backup codes; the old ones are worth nothing any more",
        CodesAnswer,
        201,
        reads=BY_PASSWORD,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> list[str]:
        return renew_backup_codes(person=with_factor_and_password(request))


def other_tokens(request: Request, at: datetime) -> QuerySet[ApiToken]:
    """The person's tokens but the one that asks."""
    tokens = person_of(request).valid_tokens(at)
    return tokens.exclude(pk=request.auth.pk) if isinstance(request.auth, ApiToken) else tokens


def with_factor_and_password(request: Request) -> Person:
    """Errors: `FactorStands` without a second factor, `ValidationError` for a wrong password."""
    person = person_of(request)
    if not person.has_second_factor:
        raise FactorStands(gettext_noop("There is no second factor."), "is_off")
    check_password(request, person, body_in(request, BY_PASSWORD)["password"])
    return person


def check_password(request: Request, person: Person, typed: str, name: str = "password") -> None:
    """A guess like any other. Errors: `Throttled`, `ValidationError`."""
    guess = guess_of(request._request, person.username)
    check_is_free(guess)
    if not person.check_password(typed):
        raise ValidationError({name: [_("This is not your password.")]})
    give_guesses_back(guess=guess)


def check_is_free(guess: Any) -> None:
    at = timezone.now()
    if until := take_guess(guess=guess, at=at):
        raise Throttled(wait=(until - at).total_seconds())
