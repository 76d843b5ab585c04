"""How many API requests a person and an address may make: windows of five minutes, counted in the cache.

With Redis the cache is that of all machines. Without it, and while it is away, each process counts for itself.
"""

import logging
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from serving.leases import leases

log = logging.getLogger("huace.rate_limits")

WINDOW_S = 300


@dataclass(frozen=True, slots=True)
class Taken:
    """What is used up of a limit in this window, and when the next begins."""

    limit: int
    used: int
    resets_in_s: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def is_over(self) -> bool:
        return self.used > self.limit


def take(
    kind: str, who: str, limit: int, *, cost: int = 1, window_s: int = WINDOW_S, at_s: float | None = None
) -> Taken | None:
    """Counts a request; None where nothing is limited."""
    if not limit:
        return None
    number, passed = divmod(int(time.time() if at_s is None else at_s), window_s)
    key = f"rate:{kind}:{who}:{number}"
    used = _count(key, cost, 2 * window_s)
    return Taken(limit, used, window_s - passed)


def _count(key: str, cost: int, keep_s: int) -> int:
    over_all = leases()
    # While Redis is known to be away, no request waits to find it out again.
    for name in ("default", "own") if over_all is None or not over_all.is_away else ("own",):
        cache = caches[name]
        try:
            cache.add(key, 0, timeout=keep_s)
            return cache.incr(key, cost)
        # Whatever library the cache is of.
        except Exception as failed:
            log.warning("This process counts requests for itself, until Redis is back: %s", failed)
    return cost


def tighter(one: Taken | None, other: Taken | None) -> Taken | None:
    """The limit of which the smaller part is left: the one that a program should heed."""
    known = [taken for taken in (one, other) if taken is not None]
    return min(known, key=lambda taken: taken.remaining / taken.limit, default=None)


def told(response: HttpResponse, taken: Taken | None) -> HttpResponse:
    if taken is not None:
        response.headers["RateLimit-Limit"] = str(taken.limit)
        response.headers["RateLimit-Remaining"] = str(taken.remaining)
        response.headers["RateLimit-Reset"] = str(taken.resets_in_s)
        if response.status_code == 429:
            # A guess at a password may have to wait for longer than a request: what the view said stays.
            response.setdefault("Retry-After", str(taken.resets_in_s))
    return response


class PersonThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return True
        self._taken = take("person", str(request.user.pk), settings.API_RATE)
        request._request.rate_of_person = self._taken  # type: ignore[attr-defined]
        return self._taken is None or not self._taken.is_over

    def wait(self) -> float | None:
        return self._taken.resets_in_s if self._taken else None
