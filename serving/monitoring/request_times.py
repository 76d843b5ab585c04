"""How long requests take, by route: for Prometheus, for the page that names the slowest, and as a line of the log.

Routes are patterns of the program, so neither a label nor a line holds what somebody put into an address.
"""

import logging
import secrets
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import LazyObject

from serving.monitoring.metrics import REQUESTS
from serving.monitoring.tracing import tell_route_alone

logger = logging.getLogger("huace.request")

# What is older than the hour before this one says nothing about now.
WINDOW_S = 3600.0
UNKNOWN = "unknown"
# The id under which all lines of one request stand in the log, and which its answer names.
request_id: ContextVar[str] = ContextVar("request_id", default="")


@dataclass(slots=True)
class RouteTime:
    """`n` answers of a route: seconds in all, and the longest."""

    n: int = 0
    total_s: float = 0.0
    worst_s: float = 0.0

    @property
    def mean_s(self) -> float:
        return self.total_s / self.n

    def note(self, took_s: float) -> None:
        self.n += 1
        self.total_s += took_s
        self.worst_s = max(self.worst_s, took_s)

    def with_earlier(self, earlier: "RouteTime") -> "RouteTime":
        return RouteTime(self.n + earlier.n, self.total_s + earlier.total_s, max(self.worst_s, earlier.worst_s))


class RouteTimes:
    """The times of this hour and of the one before, by route. Requests come from many threads."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._now: dict[str, RouteTime] = {}
        self._before: dict[str, RouteTime] = {}
        self._began = clock()

    def note(self, route: str, took_s: float) -> None:
        with self._lock:
            self._turn_over()
            self._now.setdefault(route, RouteTime()).note(took_s)

    def all(self) -> dict[str, RouteTime]:
        with self._lock:
            self._turn_over()
            nothing = RouteTime()
            return {
                route: self._now.get(route, nothing).with_earlier(self._before.get(route, nothing))
                for route in self._now.keys() | self._before.keys()
            }

    def _turn_over(self) -> None:
        n_windows = int((self._clock() - self._began) // WINDOW_S)
        if n_windows:
            self._before = self._now if n_windows == 1 else {}
            self._now = {}
            self._began += n_windows * WINDOW_S


route_times = RouteTimes()


class RequestTimesMiddleware:
    """Goes around all others. A download is timed until it begins."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        own_id = secrets.token_hex(8)
        token, began = request_id.set(own_id), perf_counter()
        try:
            response = self.get_response(request)
            took_s = perf_counter() - began
            response.headers["X-Request-Id"] = own_id
            _note(request, response.status_code, took_s)
            return response
        finally:
            request_id.reset(token)


def _note(request: HttpRequest, status: int, took_s: float) -> None:
    match, route = request.resolver_match, route_of(request)
    tell_route_alone(request, route)
    kind = "api" if route.startswith("api/") else "page"
    REQUESTS.labels(kind, f"{status // 100}xx").observe(took_s)
    # Addresses that lead nowhere are answered quickly, and are no page.
    if match is not None:
        route_times.note(route, took_s)
    if logger.isEnabledFor(logging.INFO):
        ids = ids_in(match.kwargs) if match is not None else {}
        if person := person_in(request):
            ids["person"] = person
        fields = {"method": request.method, "route": route, "status": status, "ms": round(took_s * 1000, 1), **ids}
        logger.info("request", extra={"fields": fields})


def route_of(request: HttpRequest) -> str:
    """The pattern that the address fits, which is the program's; without one, a word."""
    match = request.resolver_match
    return match.route if match is not None else UNKNOWN


def person_in(request: HttpRequest) -> int | None:
    """The id of the person whom the request authenticated; a log line looks no one up."""
    user = request.__dict__.get("user")
    if isinstance(user, LazyObject):
        user = request.__dict__.get("_cached_user")
    return getattr(user, "pk", None)


def ids_in(arguments: dict[str, Any]) -> dict[str, Any]:
    """What an address names by a number or an id; a word in it may be a name or open something."""
    return {name: str(value) for name, value in arguments.items() if isinstance(value, int | UUID)}
