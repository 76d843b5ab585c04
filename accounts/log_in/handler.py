"""Our budgets of guesses as the backend and handler of django-axes, which asks before any password is hashed."""

from typing import Any

from axes.backends import AxesStandaloneBackend
from axes.handlers.base import AbstractAxesHandler, AxesBaseHandler
from django.http import HttpRequest
from django.utils import timezone

from accounts.log_in.actions import forget_guesses, give_guesses_back, take_guess
from accounts.log_in.guesses import Guess, address_of, code_digest_of, device_of, digest_of, network_of


class GuessBackend(AxesStandaloneBackend):
    """Refuses guesses that are not free. Calls without a request come from commands, which outsiders cannot reach."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        if request is not None:
            super().authenticate(request, **credentials)


def guess_of(request: HttpRequest, username: str) -> Guess:
    name = digest_of(username)
    return Guess(name, network_of(address_of(request)), device_of(request, name))


def code_guess_of(request: HttpRequest, username: str) -> Guess:
    known = device_of(request, digest_of(username))
    return Guess(code_digest_of(username), network_of(address_of(request)), known, n_from_strangers=10)


class GuessHandler(AxesBaseHandler, AbstractAxesHandler):
    """Says whether a guess is free. `request.refused_until` then tells the pages how long to wait."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        guess = guess_of(request, (credentials or {}).get("username") or "")
        until = take_guess(guess=guess, at=timezone.now())
        request.refused_until = until  # type: ignore[attr-defined]
        return until is not None

    def user_logged_in(self, sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
        give_guesses_back(guess=guess_of(request, user.get_username()))

    def user_login_failed(self, sender: Any, credentials: Any, request: Any = None, **kwargs: Any) -> None:
        """Nothing: the guess was counted before it was looked at."""

    def user_logged_out(self, sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
        """Nothing."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        return 0

    def reset_attempts(
        self, *, ip_address: str | None = None, username: str | None = None, ip_or_username: bool = False
    ) -> int:
        """For the commands of django-axes: `manage.py axes_reset_username NAME`, `axes_reset_ip ADDRESS`, `axes_reset`."""
        return forget_guesses(
            name=digest_of(username) if username else "", network=network_of(ip_address) if ip_address else ""
        )
