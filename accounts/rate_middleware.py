"""The limit of API requests per address, before anything is looked up for them; headers that say what is left."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.log_in.addresses import address_of, network_of
from api.problems import bare_problem
from api.rate_limits import take, tighter, told

# Behind one address there may be a room full of programs.
PERSONS_PER_ADDRESS = 10
# A request with a bad token costs its address as much as so many good ones.
BAD_TOKEN_COSTS = 20


class ApiRateMiddleware:
    """Counts API requests per address before anything is looked up for them, and says in headers what is left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/"):
            return self.get_response(request)
        network = network_of(address_of(request))
        taken = take("address", network, settings.API_RATE * PERSONS_PER_ADDRESS)
        if taken and taken.is_over:
            return told(_too_many(request), taken)
        response = self.get_response(request)
        if response.status_code == 401:
            take("address", network, settings.API_RATE * PERSONS_PER_ADDRESS, cost=BAD_TOKEN_COSTS)
        return told(response, tighter(taken, getattr(request, "rate_of_person", None)))


def _too_many(request: HttpRequest) -> HttpResponse:
    # It is too early for the language of a person: nobody has been looked up.
    with translation.override(translation.get_language_from_request(request)):
        return bare_problem(
            429, "throttled", _("Too many requests from this address. Wait as long as Retry-After says.")
        )
