"""Lines of the trail for log-ins, log-outs and guesses, by Django's own signals (decision 0023).

Django's `login` is where every way into a session ends, whichever page it begins on. A program that logs in gets a token and no
session: the line that says that the token was made holds the network, too (`log_program_in`).
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.http import HttpRequest

from accounts.log_in.guesses import address_of, network_of
from accounts.models import Person
from accounts.trail_acts import CODE_WRONG, LOGGED_IN, LOGGED_OUT, LOGIN_FAILED, LOGIN_UNKNOWN
from audit.actions import record


def follow_log_ins() -> None:
    """Called once, when the applications are ready."""
    user_logged_in.connect(_note_log_in, dispatch_uid="trail")
    user_logged_out.connect(_note_log_out, dispatch_uid="trail")
    user_login_failed.connect(_note_guess, dispatch_uid="trail")


@transaction.atomic
def _note_log_in(sender: Any, request: HttpRequest, user: Person, **rest: Any) -> None:
    record(LOGGED_IN, by=user, details=network_details(request))


def _note_log_out(sender: Any, request: HttpRequest, user: Person | None, **rest: Any) -> None:
    if user is None:
        return
    with transaction.atomic():
        record(LOGGED_OUT, by=user)


def _note_guess(sender: Any, credentials: Mapping[str, Any], request: HttpRequest | None = None, **rest: Any) -> None:
    """A guess that was looked at. Refused ones leave no line, so a flood neither fills the trail nor holds its head."""
    if getattr(request, "refused_until", None) is not None:
        return
    typed = str(credentials.get("username") or "")
    # Only the name of an account is written: people type passwords into the wrong field, and a line never goes.
    name = typed if Person.objects.filter(username=typed).exists() else ""
    with transaction.atomic():
        record(LOGIN_FAILED if name else LOGIN_UNKNOWN, by=None, about=name, details=network_details(request))


@transaction.atomic
def note_wrong_code(request: HttpRequest, person: Person) -> None:
    """The password was right and the code of the second factor wrong, which no signal of Django's tells."""
    record(CODE_WRONG, by=None, about=person.username, details=network_details(request))


def network_details(request: HttpRequest | None) -> dict[str, str]:
    """The network, as details of a line."""
    network = network_of(address_of(request)) if request is not None else ""
    return {"network": network} if network else {}
