"""Routes that only take a form: each names the page that holds the form.

What such a route answers stands at an address that cannot be loaded again. A change of language leads to the page that
is named here instead, and so does a log-in after a form was sent too late.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, get_resolver, resolve, reverse
from django.views.decorators.http import require_POST

from accounts.access import View


def form_on(page: str) -> Callable[[View], View]:
    """Takes POST alone; `page` is the name of the route that shows the form, which takes no other arguments."""

    def declared(view: View) -> View:
        guarded: View = require_POST(view)
        guarded.page_of_form = page  # type: ignore[attr-defined]
        return guarded

    return declared


def readable_address(request: HttpRequest) -> str:
    """Where this page, or the one with its form, can be loaded again."""
    match = request.resolver_match or _match_of(request.path_info)
    return _page_with_form(match) or request.get_full_path()


def page_with_form(address: str) -> str:
    """The page with the form that this address of ours takes; empty where the address can be read itself."""
    return _page_with_form(_match_of(urlsplit(address).path))


def _page_with_form(match: ResolverMatch | None) -> str:
    page = getattr(match.func, "page_of_form", "") if match else ""
    return page_address(page, match.kwargs) if match and page else ""


def page_address(page: str, arguments: dict[str, Any]) -> str:
    """The address of a page, from the arguments that it has in common with the route of the form."""
    possible: Any = get_resolver().reverse_dict.getlist(page)[0]
    ((_pattern, names),) = possible[0]
    return reverse(page, kwargs={name: arguments[name] for name in names})


def _match_of(path: str) -> ResolverMatch | None:
    """A request that was refused before its view was looked for has no match yet."""
    try:
        return resolve(path)
    except Resolver404:
        return None
