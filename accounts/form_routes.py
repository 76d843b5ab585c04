"""Routes that take a form, and how they answer where an act is refused.

@form_on("page")   takes a form alone, and names the page that holds it
@tells_refusal     says on that page why an act was refused; without it the answer is a page of its own (409)

What such a route answers stands at an address that cannot be loaded again. A change of language leads to the page that
is named here instead, and so does a log-in after a form was sent too late.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import Resolver404, ResolverMatch, get_resolver, resolve, reverse
from django.views.decorators.http import require_POST

from accounts.access import View
from serving.refused import Refused


def form_on(page: str) -> Callable[[View], View]:
    """Takes POST alone; `page` is the name of the route that shows the form, which takes no other arguments."""

    def declared(view: View) -> View:
        guarded: View = require_POST(view)
        guarded.page_of_form = page  # type: ignore[attr-defined]
        return guarded

    return declared


def tells_refusal(view: View) -> View:
    """Leads back to the page with the form, and a message there says why the act was refused."""

    @wraps(view)
    def telling(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, **kwargs)
        except Refused as refused:
            messages.error(request, str(refused))
            return redirect(readable_address(request))

    return telling


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
