"""The authentication backend that stands before the passwords."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from django.http import HttpRequest


class GuessBackend(AxesStandaloneBackend):
    """Refuses guesses that are not free. What asks without a request is no page: nobody outside reaches it."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is not None:
            super().authenticate(request, **credentials)
