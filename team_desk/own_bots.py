"""A team's bots in one campaign with how they stand and how well they answer, read in a fixed number of queries."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, When
from django.db.models.functions import Coalesce

from campaigns.models import Assignment, Campaign, Entry
from campaigns.stages import Way, way_of
from conformance.results import percentile
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.turn_taking import TurnStatus
from participants.failures import Fault
from participants.models import Team
from team_desk.bot_state import BotState, state_of
from team_desk.dial_keys import Connection, connection_of
from team_desk.health_picture import Call, begin_of

LATELY = timedelta(hours=24)
# Counted by the database, from a second on in such steps, so that no page reads every answer of a campaign.
STEP_MS = 10
# So many calls make the picture; of a bot that was asked more often in a day, the latest.
CALLS_READ = 20_000


@dataclass(slots=True)
class Answers:
    """What came of the calls of one bot in some time. A turn that failed and was asked again is two calls.

    `latencies` are how many answers took so long, from a second on in steps of `STEP_MS`.
    """

    latencies: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    n_of_others: int = 0

    @property
    def n_answered(self) -> int:
        return self.latencies.total()

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
        return percentile(self.latencies.elements(), 0.5) if self.latencies else None

    @property
    def p95_ms(self) -> int | None:
        return percentile(self.latencies.elements(), 0.95) if self.latencies else None


@dataclass(slots=True)
class Health:
    lately: Answers = field(default_factory=Answers)
    ever: Answers = field(default_factory=Answers)


@dataclass(frozen=True, slots=True)
class OwnBot:
    """`way` is how far it has come, `connection` that of a system that connects itself."""

    entry: Entry
    state: BotState
    health: Health
    way: Way
    connection: Connection | None


def entries_of(team: Team, campaign: Campaign) -> QuerySet[Entry]:
    """The bots that the team entered, oldest first; not those that only imported records name."""
    own = campaign.entries.declared().filter(bot__team=team)
    return own.select_related("bot__team", "campaign", "registered_by", "probe").order_by("pk")


def own_bots(entries: QuerySet[Entry], at: datetime) -> list[OwnBot]:
    begun = Assignment.objects.filter(entry=OuterRef("pk"), started_at__isnull=False)
    # Joins bypass the managers: practice is left out by hand.
    assigned = Count("assignments", filter=Q(assignments__is_practice=False))
    listed = list(entries.select_related("dial_key", "probe").annotate(n_assigned=assigned, is_begun=Exists(begun)))
    health = health_of([entry.pk for entry in listed], at)
    return [
        OwnBot(entry, _state(entry), health[entry.pk], way_of(entry, entry.campaign, at), connection_of(entry, at))
        for entry in listed
    ]


def _state(entry: Any) -> BotState:
    return state_of(entry, n_assigned=entry.n_assigned, has_begun=entry.is_begun)


def health_of(entry_ids: Collection[int], at: datetime) -> dict[int, Health]:
    """From the ledger of live dialogues: what each bot answered and where it failed, lately and ever. Two queries."""
    health: dict[int, Health] = defaultdict(Health)
    for entry, is_late, kind, fault, n in _failed(entry_ids, at):
        for answers in _spans(health[entry], is_late):
            if fault == Fault.BOT:
                answers.kinds[kind] += n
            else:
                answers.n_of_others += n
    for entry, is_late, latency_ms, n in _answered(entry_ids, at):
        for answers in _spans(health[entry], is_late):
            answers.latencies[latency_ms] += n
    return health


def _failed(entry_ids: Collection[int], at: datetime) -> Any:
    live = Q(turn__dialogue__origin=Dialogue.Origin.LIVE, turn__dialogue__assignment__entry__in=entry_ids)
    failed = Attempt.objects.filter(live, outcome=Attempt.Outcome.FAILURE).annotate(is_late=_is_late("ended_at", at))
    columns = ("turn__dialogue__assignment__entry", "is_late", "kind", "fault")
    return failed.order_by().values_list(*columns).annotate(n=Count("pk"))


def _answered(entry_ids: Collection[int], at: datetime) -> Any:
    answered = Turn.objects.filter(
        dialogue__origin=Dialogue.Origin.LIVE,
        dialogue__assignment__entry__in=entry_ids,
        status=TurnStatus.ANSWERED,
    )
    took, step = Coalesce(F("latency_ms"), 0), Case(When(latency_ms__gte=1000, then=STEP_MS), default=1)
    counted = answered.annotate(is_late=_is_late("settled_at", at), took=took - took % step)
    return counted.order_by().values_list("dialogue__assignment__entry", "is_late", "took").annotate(n=Count("pk"))


def _is_late(moment: str, at: datetime) -> Case:
    return Case(When(Q(**{f"{moment}__gt": at - LATELY}), then=True), default=False)


def _spans(health: Health, is_late: bool) -> Sequence[Answers]:
    return (health.lately, health.ever) if is_late else (health.ever,)


def calls_of(entry: Entry, at: datetime) -> Iterator[Call]:
    """The calls of its last day, from the dialogues in which something can have happened since.

    Two queries, neither of which reads more than `CALLS_READ` rows.
    """
    since = begin_of(at)
    lately = Dialogue.objects.filter(assignment__entry=entry, origin=Dialogue.Origin.LIVE)
    lately = lately.filter(Q(status="open") | Q(closed_at__gte=since))
    answered = Turn.objects.filter(dialogue__in=lately, status=TurnStatus.ANSWERED, settled_at__gte=since)
    for settled_at, latency_ms in answered.order_by("-settled_at").values_list("settled_at", "latency_ms")[:CALLS_READ]:
        if settled_at is not None:
            yield Call(settled_at, latency_ms or 0)
    failed = Attempt.objects.filter(
        turn__dialogue__in=lately, outcome=Attempt.Outcome.FAILURE, fault=Fault.BOT, ended_at__gte=since
    )
    for ended_at in failed.order_by("-ended_at").values_list("ended_at", flat=True)[:CALLS_READ]:
        yield Call(ended_at)
