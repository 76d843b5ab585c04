"""A team's bots in one campaign with how they stand and how well they answer, read in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from campaigns.models import Assignment, Campaign, Entry
from organizing.participating.bot_state import BotState, state_of
from organizing.wall.health import at_share
from participants.failures import Fault
from participants.models import Team
from testing_console.models import Attempt, Dialogue, Turn
from testing_console.turn_taking import TurnStatus

LATELY = timedelta(hours=24)


@dataclass(slots=True)
class Answers:
    """What came of the calls of one bot in some time. A turn that failed and was asked again is two calls."""

    latencies: list[int] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    n_of_others: int = 0

    @property
    def n_answered(self) -> int:
        return len(self.latencies)

    @property
    def n_failed(self) -> int:
        """Failures that are the bot's fault; `n_of_others` are the platform's, a tester's or nobody's."""
        return sum(self.kinds.values())

    @property
    def by_kind(self) -> list[tuple[str, int]]:
        """The kinds of its failures, the most frequent first."""
        return self.kinds.most_common()

    @property
    def n_calls(self) -> int:
        return self.n_answered + self.n_failed

    @property
    def p50_ms(self) -> int | None:
        return at_share(sorted(self.latencies), 0.5)

    @property
    def p95_ms(self) -> int | None:
        return at_share(sorted(self.latencies), 0.95)


@dataclass(slots=True)
class Health:
    lately: Answers = field(default_factory=Answers)
    ever: Answers = field(default_factory=Answers)


@dataclass(frozen=True, slots=True)
class OwnBot:
    entry: Entry
    state: BotState
    health: Health


def entries_of(team: Team, campaign: Campaign) -> QuerySet[Entry]:
    """The bots that the team entered, oldest first; not those that only imported records name."""
    own = campaign.entries.declared().filter(bot__team=team)
    return own.select_related("bot__team", "campaign", "registered_by").order_by("pk")


def own_bots(entries: QuerySet[Entry], at: datetime) -> list[OwnBot]:
    begun = Assignment.objects.filter(entry=OuterRef("pk"), started_at__isnull=False)
    listed = list(entries.annotate(n_assigned=Count("assignments"), is_begun=Exists(begun)))
    health = health_of([entry.pk for entry in listed], at)
    return [OwnBot(entry, _state(entry), health[entry.pk]) for entry in listed]


def _state(entry: Any) -> BotState:
    return state_of(entry, n_assigned=entry.n_assigned, has_begun=entry.is_begun)


def health_of(entry_ids: Collection[int], at: datetime) -> dict[int, Health]:
    """From the ledger of live dialogues: what each bot answered and where it failed, lately and ever."""
    health: dict[int, Health] = defaultdict(Health)
    live = Q(turn__dialogue__origin=Dialogue.Origin.LIVE, turn__dialogue__assignment__entry__in=entry_ids)
    failed = Attempt.objects.filter(live, outcome=Attempt.Outcome.FAILURE)
    for entry, kind, fault, ended_at in failed.values_list(
        "turn__dialogue__assignment__entry", "kind", "fault", "ended_at"
    ):
        for answers in _spans(health[entry], ended_at, at):
            if fault == Fault.BOT:
                answers.kinds[kind] += 1
            else:
                answers.n_of_others += 1
    for entry, latency_ms, settled_at in _answered(entry_ids):
        for answers in _spans(health[entry], settled_at, at):
            answers.latencies.append(latency_ms or 0)
    return health


def _answered(entry_ids: Collection[int]) -> Any:
    answered = Turn.objects.filter(
        dialogue__origin=Dialogue.Origin.LIVE,
        dialogue__assignment__entry__in=entry_ids,
        status=TurnStatus.ANSWERED,
    )
    return answered.order_by().values_list("dialogue__assignment__entry", "latency_ms", "settled_at").iterator()


def _spans(health: Health, happened_at: datetime | None, at: datetime) -> Sequence[Answers]:
    is_late = happened_at is not None and happened_at > at - LATELY
    return (health.lately, health.ever) if is_late else (health.ever,)
