"""How often people without an account may try to apply from one address: a room full of teams, not a program that tries names."""

from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.log_in.addresses import address_of, network_of
from api.rate_limits import Taken, take
from serving.refused import NotYet

TRIES_PER_WINDOW = 60
# A list of names is gone through in days otherwise, at sixty per five minutes.
TRIES_PER_DAY = 200
DAY_S = 24 * 60 * 60
MOST_MINUTES_SAID = 90


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
