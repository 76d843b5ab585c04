"""The account form of people without one, and how often one network may send it: a room of teams, not a name-guessing program."""

from typing import Any

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.log_in.guesses import address_of, network_of
from accounts.models import Person
from api.rate_limits import Taken, take
from registration.actions.applying import Newcomer
from serving.refused import NotYet

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
        """Whether somebody has the name, only making the account tells: nobody asks it of a form that makes none."""
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
