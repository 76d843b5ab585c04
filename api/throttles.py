"""The limit of API requests per person, where DRF asks for it: once it knows who sends the request."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api.rate_limits import take


class PersonThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return True
        self._taken = take("person", str(request.user.pk), settings.API_RATE)
        request._request.rate_of_person = self._taken  # type: ignore[attr-defined]
        return self._taken is None or not self._taken.is_over

    def wait(self) -> float | None:
        return self._taken.resets_in_s if self._taken else None
