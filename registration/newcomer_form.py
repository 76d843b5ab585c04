"""The account form of people without one, for pages and programs, and how often one network may send it: a room of teams, not a name-guessing program."""

from typing import Any

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.log_in.guesses import address_of, network_of
from accounts.models import Person
from api.rate_limits import Taken, take
from reading.kinds import ANY_TEXT, Text
from reading.tables import Field, Table
from registration.actions.applying import NAME_IS_TAKEN, Newcomer
from serving.refused import NotYet

NEWCOMER = Table(
    {
        "username": Field(Text(150), ""),
        "password": Field(ANY_TEXT, ""),
        "display_name": Field(Text(150, may_be_empty=True), ""),
        "email": Field(Text(254, may_be_empty=True), ""),
    },
    keeps_others=True,
)
TRIES_PER_WINDOW = 60
# A list of names is gone through in days otherwise, at sixty per five minutes.
TRIES_PER_DAY = 200
DAY_S = 24 * 60 * 60
MOST_MINUTES_SAID = 90


class NewcomerForm(UserCreationForm):
    """Django's own checks of user name and password, with a name to show and an e-mail address, both optional."""

    class Meta:
        model = Person
        fields = ("username", "display_name", "email")

    display_name = forms.CharField(max_length=150, required=False)
    email = forms.EmailField(required=False)

    def clean_username(self) -> str:
        """Only making the account tells whether the name is taken, so that the form cannot be used to guess names."""
        username: str = self.cleaned_data["username"]
        return username

    def validate_unique(self) -> None:
        """As for `clean_username`."""

    @property
    def newcomer(self) -> Newcomer:
        said: dict[str, Any] = self.cleaned_data
        return Newcomer(said["username"], said["password1"], said["display_name"], said["email"])


class TooManyNewcomers(NotYet):
    code = "throttled"
    status = 429

    def __str__(self) -> str:
        minutes, hours = -(-self.after_s // 60), -(-self.after_s // 3600)
        if minutes > MOST_MINUTES_SAID:
            return ngettext(
                "Too many tries from this address. Try again in %(n)s hour.",
                "Too many tries from this address. Try again in %(n)s hours.",
                hours,
            ) % {"n": hours}
        return ngettext(
            "Too many tries from this address. Try again in %(n)s minute.",
            "Too many tries from this address. Try again in %(n)s minutes.",
            minutes,
        ) % {"n": minutes}


def check_rate(request: HttpRequest) -> None:
    """Counts this request. Errors: `TooManyNewcomers`."""
    network = network_of(address_of(request))
    _refuse_if_over(take("newcomers", network, TRIES_PER_WINDOW))
    # Counted only where the first let it through: pressing the button again all day costs a room no day.
    _refuse_if_over(take("newcomers-a-day", network, TRIES_PER_DAY, window_s=DAY_S))


def _refuse_if_over(taken: Taken | None) -> None:
    if taken is not None and taken.is_over:
        raise TooManyNewcomers(taken.resets_in_s)


def account_form(request: Request) -> NewcomerForm:
    said: dict[str, Any] = request.data  # type: ignore[assignment] # our parser lets objects through only
    password = said.get("password", "")
    return NewcomerForm(dict(said) | {"password1": password, "password2": password})


def wrong_in(form: NewcomerForm) -> dict[str, list[str]]:
    """What is wrong per field of the API, which has one for the password."""
    return {
        "password" if name.startswith("password") else name: [str(one) for one in many]
        for name, many in form.errors.items()
    }


def newcomer_of(request: Request) -> Newcomer:
    """Errors: `ValidationError` naming every wrong field."""
    form = account_form(request)
    if wrong := wrong_in(form):
        raise ValidationError(wrong)
    return form.newcomer


def name_is_taken() -> ValidationError:
    return ValidationError({"username": [_(NAME_IS_TAKEN)]})
