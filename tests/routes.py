"""Every route of the site, as the URL resolver has it."""

from inspect import getclosurevars

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.access import Access

CHANGING = {"POST", "PUT", "PATCH", "DELETE"}


def routes(resolver=None, prefix=""):
    for pattern in (resolver or get_resolver()).url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, path)
        elif isinstance(pattern, URLPattern):
            yield path, pattern.callback


def access_of(callback) -> Access | None:
    return getattr(callback, "access", None) or getattr(getattr(callback, "cls", None), "access", None)


ROUTES = list(routes())
ACCESS = {path: access_of(callback) for path, callback in ROUTES}
# Routes per test: they share what it has made.
GROUP = 60


def in_groups(routes):
    return pytest.mark.parametrize(
        "paths",
        [[path for path, _ in routes[start : start + GROUP]] for start in range(0, len(routes), GROUP)],
        ids=lambda paths: f"{paths[0]} and others",
    )


def methods_of(callback) -> set[str]:
    """The methods that a route takes: those of its class, or those that its decorator names."""
    if cls := getattr(callback, "cls", None) or getattr(callback, "view_class", None):
        return {name.upper() for name in cls.http_method_names if hasattr(cls, name)}
    while callback is not None:
        if named := getclosurevars(callback).nonlocals.get("request_method_list"):
            return set(named)
        callback = getattr(callback, "__wrapped__", None)
    raise AssertionError("names its methods nowhere (django.views.decorators.http)")


# What each route takes, GET first. HEAD is GET without a body, and OPTIONS is answered by the framework.
TAKEN = {
    path: sorted(methods_of(callback) & {"GET", *CHANGING}, key=lambda one: (one != "GET", one))
    for path, callback in ROUTES
}
# Beside them OPTIONS and one method that the route does not take: all others are refused by the same line.
TRIED = {path: [*taken, "OPTIONS", *sorted(CHANGING - {*taken})[:1]] for path, taken in TAKEN.items()}
CHANGING_ROUTES = sorted(f"{method} {path}" for path, taken in TAKEN.items() for method in CHANGING & {*taken})


def refusals_of(path) -> set[int]:
    """How a route answers a person without the role for it."""
    # An empty body names no object at all, before anybody's roles are asked for.
    return {403, 404} | ({400} if path == "api/v1/dialogues/" else set())
