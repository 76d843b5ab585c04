"""How often people without an account may apply from one address: a room full of teams, not a program that tries names."""

from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.log_in.addresses import address_of, network_of
from accounts.rate_limits import take
from serving.refused import NotYet

APPLICATIONS_PER_ADDRESS = 60


class TooManyNewcomers(NotYet):
    code = "throttled"
    status = 429

    def __str__(self) -> str:
        minutes = -(-self.after_s // 60)
        return ngettext(
            "Many people have applied from this address. Try again in %(n)s minute.",
            "Many people have applied from this address. Try again in %(n)s minutes.",
            minutes,
        ) % {"n": minutes}


def check_rate(request: HttpRequest) -> None:
    """Counts this request. Errors: `TooManyNewcomers`."""
    taken = take("newcomers", network_of(address_of(request)), APPLICATIONS_PER_ADDRESS)
    if taken is not None and taken.is_over:
        raise TooManyNewcomers(taken.resets_in_s)
