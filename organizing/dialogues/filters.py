"""Filters of dialogues and failures. An unknown value filters nothing; `since` is inclusive, `until` exclusive."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Person
from api.paging import SINCE
from campaigns.interests import barred_entries
from campaigns.models import Campaign
from dialogues.models import Attempt, Dialogue, DialogueQuerySet, Problem, Turn, TurnFlag
from dialogues.turn_taking import DialogueStatus, TurnStatus
from organizing.dialogues.words import WHERE, holding, words_of
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


BOT, TESTER = "bot", "tester"
_HEX = re.compile(r"[0-9a-f]{4,32}")


@dataclass(frozen=True, slots=True)
class Filters:
    """`state` is a state of dialogues; `waits_for` says whom an open one waits for, `waits_min` for how many minutes at least.

    `bot` is an alias, `tester` a user name, `scenario` a key. `search` is an id, the beginning of one, or the id that an imported
    dialogue had elsewhere; `words` stand in it, `where` names one of the places of `words.py`. `failed`, `flagged`, `imported` and `programs` are set or not; without
    `programs` those that programs had beside the plan are left out. `since` and `until` are about when it began.
    """

    search: str = ""
    words: str = ""
    where: str = ""
    state: str = ""
    bot: str = ""
    tester: str = ""
    scenario: str = ""
    waits_for: str = ""
    waits_min: str = ""
    failed: str = ""
    flagged: str = ""
    imported: str = ""
    programs: str = ""
    since: str = ""
    until: str = ""

    @property
    def since_at(self) -> datetime | None:
        return moment_of(self.since)

    @property
    def until_at(self) -> datetime | None:
        return moment_of(self.until)

    def said(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}


def filters_of(asked: Mapping[str, str]) -> Filters:
    return Filters(**{name: asked.get(name, "").strip()[:200] for name in Filters.__slots__})


def dialogues_of(campaign: Campaign, filters: Filters, reader: Person, at: datetime) -> DialogueQuerySet:
    """Those that every filter lets through, the latest first; open ones that have waited longest first where waiting is asked for.

    What an interest closes to the reader is not searched for words either.
    """
    every = Dialogue.with_programs if filters.programs else Dialogue.objects
    found = every.of_campaign(campaign)
    if filters.programs:
        found = found.filter(tester__kind=Person.Kind.PROGRAM)
    if filters.search:
        found = found.filter(_named(filters.search))
    if words := words_of(filters.words):
        found = found.filter(holding(campaign, words, filters.where if filters.where in WHERE else ""))
        found = found.exclude(assignment__entry__in=barred_entries(reader))
    if filters.state in set(DialogueStatus):
        found = found.filter(status=filters.state)
    if filters.bot:
        found = found.filter(assignment__entry__alias=filters.bot)
    if filters.tester:
        found = found.filter(tester__username=filters.tester)
    if filters.scenario:
        found = found.filter(assignment__scenario__key=filters.scenario)
    if filters.imported:
        found = found.filter(origin=Dialogue.Origin.IMPORTED)
    return _by_what_happened(within(found, "opened_at", filters), filters, at)


def _named(search: str) -> Q:
    """A dialogue by its id here or elsewhere; some digits stand for all ids that begin so."""
    elsewhere = Q(external_id=search)
    digits = search.lower().replace("-", "")
    if not _HEX.fullmatch(digits):
        return elsewhere
    return elsewhere | Q(pk__gte=UUID(digits.ljust(32, "0")), pk__lte=UUID(digits.ljust(32, "f")))


def _by_what_happened(found: DialogueQuerySet, filters: Filters, at: datetime) -> DialogueQuerySet:
    own = {"dialogue": OuterRef("pk")}
    if filters.failed:
        found = found.filter(Exists(failures().filter(turn__dialogue=OuterRef("pk"))))
    if filters.flagged:
        flagged, reported = TurnFlag.objects.filter(turn__dialogue=OuterRef("pk")), Problem.objects.filter(**own)
        found = found.filter(Exists(flagged) | Exists(reported))
    if not filters.waits_for and not filters.waits_min:
        return found.order_by("-opened_at", "pk")
    in_flight = Exists(Turn.objects.filter(**own, status=TurnStatus.WAITING))
    found = found.open()
    if filters.waits_for in (BOT, TESTER):
        found = found.filter(in_flight if filters.waits_for == BOT else ~in_flight)
    if filters.waits_min.isdecimal():
        since = at - timedelta(minutes=min(int(filters.waits_min), 60 * 24 * 365))
        lately = Turn.objects.filter(**own).filter(Q(asked_at__gte=since) | Q(settled_at__gte=since))
        found = found.filter(opened_at__lt=since).exclude(Exists(lately))
    return found.order_by("opened_at", "pk")


def failures() -> QuerySet[Attempt]:
    """Every request that failed for good; what was sent again at once, came too late, or was practised is left out."""
    failed = Attempt.objects.filter(outcome=Attempt.Outcome.FAILURE)
    return failed.exclude(turn__dialogue__origin=Dialogue.Origin.PRACTICE)
