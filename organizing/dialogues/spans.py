"""From when to when an organizer asks for dialogues or failures: `since` is within, `until` is not, so that spans join."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from api.paging import SINCE
from reading.kinds import Kind

# As parameters of the API, where a time without its zone is refused.
SPAN: Mapping[str, Kind] = {"since": SINCE, "until": SINCE}


class HasSpan(Protocol):
    @property
    def since(self) -> str: ...
    @property
    def until(self) -> str: ...


Found = TypeVar("Found", bound="QuerySet[Any]")


def moment_of(said: str) -> datetime | None:
    """The time that a page's field or an address says, in the campaign's zone where it names none; None for what is no time."""
    try:
        moment = datetime.fromisoformat(said)
        moment = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
        # The first and last days of all have no UTC, and no database compares them.
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def within(found: Found, column: str, asked: HasSpan) -> Found:
    """Those whose time in that column is within the span that is asked for."""
    since, until = moment_of(asked.since), moment_of(asked.until)
    if since is not None:
        found = found.filter(**{f"{column}__gte": since})
    return found if until is None else found.filter(**{f"{column}__lt": until})
