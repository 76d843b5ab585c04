"""Lists of the REST API: which page of them is asked for, what filters them, and the headers that lead on.

Every list is in a stable order and takes `page` and `per_page`. `X-Total-Count` says how many there are in all, `Link` (RFC 8288)
where the first, previous, next and last page are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import EmptyPage, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from reading.digits import ID_DIGITS, whole_or_none
from reading.json_schemas import Schema, schema_of
from reading.kinds import Kind, Wrong, shown

MOST_PER_PAGE = 1000
MOST_PAGES = 10**6


@dataclass(frozen=True)
class Digits(Kind):
    """A whole number, as an address says it."""

    highest: int

    def value_of(self, value: Any) -> int:
        number = whole_or_none(value, ID_DIGITS) if isinstance(value, str) else None
        if number is None:
            raise Wrong(gettext_noop("must be a whole number, not %(value)s"), value=shown(value))
        if not 1 <= number <= self.highest:
            raise Wrong(gettext_noop("must be from 1 to %(highest)s"), highest=self.highest)
        return number


class Since(Kind):
    """A time with its zone, as an address says it."""

    def value_of(self, value: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
            if moment.utcoffset() is not None:
                # A moment of the first or last year may have no UTC: that is an OverflowError.
                moment.astimezone(UTC)
                return moment
        except (ValueError, OverflowError):
            pass
        raise Wrong(gettext_noop("must be a time with its zone, such as 2026-03-01T09:00:00Z"))


@schema_of.register
def _digits(kind: Digits) -> Schema:
    return {"type": "integer", "minimum": 1, "maximum": kind.highest}


@schema_of.register
def _since(kind: Since) -> Schema:
    return {"type": "string", "format": "date-time"}


SINCE = Since()


def pages_of(most: int) -> Mapping[str, Kind]:
    """The query parameters of a list with at most `most` rows a page."""
    return {"page": Digits(MOST_PAGES), "per_page": Digits(most)}


PAGES = pages_of(MOST_PER_PAGE)


def asked_in(request: Request, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The parameters that the address has, as their kinds read them. Errors: `ValidationError` naming each wrong one."""
    asked: dict[str, Any] = {}
    wrong: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if name not in request.query_params:
            continue
        try:
            asked[name] = kind.value_of(request.query_params[name])
        except Wrong as bad:
            wrong[name] = [bad.at("").message]
    if wrong:
        raise ValidationError(wrong)
    return asked


@dataclass(frozen=True, slots=True)
class Page:
    rows: Any
    headers: dict[str, str]
    count: int
    number: int
    pages: int


def page_of(request: Request, found: Any, *, per_page: int = MOST_PER_PAGE, most: int = MOST_PER_PAGE) -> Page:
    """The page of a query or sequence that is asked for; `most` bounds a page whose rows are dear.

    Errors: `ValidationError` for one that there is not.
    """
    asked = asked_in(request, pages_of(most))
    paginator: Any = Paginator(found, asked.get("per_page", min(per_page, most)))
    try:
        page = paginator.page(asked.get("page", 1))
    except EmptyPage as beyond:
        raise ValidationError({"page": [_("There are %(n)d pages.") % {"n": paginator.num_pages}]}) from beyond
    return Page(page.object_list, _headers(request, page, paginator), paginator.count, page.number, paginator.num_pages)


def _headers(request: Request, page: Any, paginator: Any) -> dict[str, str]:
    turns: Sequence[tuple[str, int]] = [("first", 1), ("last", paginator.num_pages)]
    if page.has_previous():
        turns = [*turns, ("prev", page.number - 1)]
    if page.has_next():
        turns = [*turns, ("next", page.number + 1)]
    links = ", ".join(f'<{_address(request, number)}>; rel="{name}"' for name, number in turns)
    return {"X-Total-Count": str(paginator.count), "Link": links}


def _address(request: Request, number: int) -> str:
    asked = [(name, value) for name, value in request.query_params.items() if name != "page"]
    return f"{request.path}?{urlencode([*asked, ('page', number)])}"
