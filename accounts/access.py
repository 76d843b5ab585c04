"""Who may open what: every view, API route and socket declares its rule, and a matrix test reads it.

@open_to_all   anybody
@for_people    anybody with an account
@for_staff     people whom the site itself trusts

A room that knows more than accounts declares rules of its own kind, with the same `Access`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from accounts.models import Person
from accounts.scopes import WHOLE

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Access:
    """The declared rule of a route. `roles` is empty where a role is not asked for."""

    kind: str
    roles: tuple[str, ...] = ()


OPEN = Access("open")
PEOPLE = Access("people")
STAFF = Access("staff")


def open_to_all(view: View) -> View:
    view.access = OPEN  # type: ignore[attr-defined]
    return view


def for_people(view: View) -> View:
    guarded = login_required(view)
    guarded.access = PEOPLE  # type: ignore[attr-defined]
    return guarded


def check_whole(request: Request) -> None:
    """Acts on the account itself are for logins and for tokens that are not narrowed. Errors: `PermissionDenied`."""
    if person_of(request).scope != WHOLE:
        raise PermissionDenied(_("This token may not see or change the account itself."))


def is_of_staff(person: Any) -> bool:
    """Whether the site itself trusts the person who asks: staff with the second factor that it demands and a credential that is not narrowed."""
    if not person.is_authenticated or not person.is_staff:
        return False
    return person.scope == WHOLE and not person.must_set_up_second_factor()


def for_staff(view: View) -> View:
    """People whom the site itself trusts; everybody else gets 404."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if person_of(request).is_staff and person_of(request).must_set_up_second_factor():
            return redirect("second-factor")
        if not is_of_staff(request.user):
            raise Http404
        return view(request, **kwargs)

    guarded.access = STAFF  # type: ignore[attr-defined]
    return guarded


def person_of(request: HttpRequest | Request) -> Person:
    """Who is asking, behind a rule that lets in people with an account only."""
    assert isinstance(request.user, Person)
    return request.user
