"""Every request that failed for good in a campaign, with what it was about, and how many there are per bot and kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Entry
from dialogues.models import Attempt, Dialogue
from organizing.dialogues.filters import failures, moment_of, within
from organizing.dialogues.transcript import Request
from participants.failures import FailureKind, Fault

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class FailureFilters:
    """`bot` is an alias, `tester` a user name; `kind` and `fault` are those of failures, `since` and `until` about when it failed."""

    bot: str = ""
    tester: str = ""
    kind: str = ""
    fault: str = ""
    since: str = ""
    until: str = ""

    @property
    def since_at(self) -> datetime | None:
        return moment_of(self.since)

    @property
    def until_at(self) -> datetime | None:
        return moment_of(self.until)

    def said(self) -> dict[str, str]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


def failure_filters_of(asked: Mapping[str, str]) -> FailureFilters:
    return FailureFilters(**{name: asked.get(name, "").strip()[:200] for name in FailureFilters.__slots__})


def failed_requests(campaign: Campaign, filters: FailureFilters, reader: Person) -> QuerySet[Attempt]:
    """The latest first, without those that an interest closes to the reader. A turn that failed twice is two."""
    # Joins bypass the managers: programs are left out by hand.
    found = (
        failures()
        .filter(turn__dialogue__assignment__campaign=campaign)
        .exclude(turn__dialogue__origin=Dialogue.Origin.PROGRAM)
    )
    found = found.exclude(turn__dialogue__assignment__entry__in=barred_entries(reader))
    if filters.bot:
        found = found.filter(turn__dialogue__assignment__entry__alias=filters.bot)
    if filters.tester:
        found = found.filter(turn__dialogue__tester__username=filters.tester)
    if filters.kind in set(FailureKind):
        found = found.filter(kind=filters.kind)
    if filters.fault in set(Fault):
        found = found.filter(fault=filters.fault)
    return within(found, "ended_at", filters).order_by("-ended_at", "-pk")


def named_requests(page: Iterable[int]) -> list[Request]:
    """The failures of a page, given by ids in their order, with what they were about."""
    ids = list(page)
    named = Attempt.objects.select_related(
        "turn__dialogue__tester", "turn__dialogue__assignment__entry__bot__team", "turn__dialogue__assignment__scenario"
    )
    found = named.in_bulk(ids)
    return [Request(found[one], _entry_of(found[one]).secret_to_hide) for one in ids if one in found]


def _entry_of(attempt: Attempt) -> Entry:
    entry: Entry = attempt.turn.dialogue.assignment.entry
    return entry


@dataclass(frozen=True, slots=True)
class PerBot:
    """How often a bot failed: `counts` are in the order of `kinds`."""

    alias: str
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Tally:
    kinds: tuple[str, ...]
    bots: tuple[PerBot, ...]

    @property
    def names(self) -> list[str]:
        return [_(kind) for kind in self.kinds]


def tally_of(failed: QuerySet[Attempt]) -> Tally:
    """How many of those failures are of each bot and kind, in one query."""
    rows = failed.order_by().values_list("turn__dialogue__assignment__entry__alias", "kind").annotate(n=Count("pk"))
    counts = {(alias, kind): n for alias, kind, n in rows}
    seen = {kind for _, kind in counts}
    kinds = tuple(kind for kind in FailureKind if kind in seen)
    aliases = sorted({alias for alias, _ in counts})
    return Tally(kinds, tuple(PerBot(one, tuple(counts.get((one, kind), 0) for kind in kinds)) for one in aliases))
