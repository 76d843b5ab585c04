"""What a look of the live wall reads of a campaign: a few queries, however many dialogues there are.

The wall reads rows and hears no events (decision 0028): openings, pauses, scores and the other server processes tell
the switchboard nothing, and a turn costs what it did before.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, FilteredRelation, Max, Min, OuterRef, Q, QuerySet
from django.utils.timezone import localtime
from django.utils.translation import get_language

from campaigns.calendar import finishing_until
from campaigns.models import Campaign, Subtask
from dialogues.events import FaultBooked, TurnFailed
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.queries import present_among
from dialogues.turn_policy import turn_policy_of
from dialogues.turn_taking import DialogueStatus, TurnStatus, budget_of
from organizing.wall.health import CallOutcome
from organizing.wall.needs_reading import NeedsOf
from organizing.wall.state import BOT, TESTER, Seen, SeenBot, SeenTalk, Tally, Terms, Wall
from organizing.wall.wall_frames import WholeWall, state

# How often everything is read again: for dialogues that began and ended between two looks, and acts that change the past.
ANEW_EVERY = timedelta(minutes=1)
# Who is to do how much changes when somebody draws a plan; what is done is read by every look.
PLAN_EVERY = timedelta(seconds=5)
DIALOGUES_PER_QUERY = 500
HEAD_COLUMNS = ("pk", "last_seq", "in_flight__attempt_number", "extended_until")
TALK_COLUMNS = (
    "pk", "tester__username", "assignment__entry__alias", "assignment__scenario__key", "opened_at", "turns_used",
    "turn_cap", "subtask_index", "subtask_turns", "subtask_cap",
)  # fmt: skip


class Head(NamedTuple):
    """How far an open dialogue is, in the order of `HEAD_COLUMNS`; `attempt` is that of its turn in flight."""

    id: UUID
    last_seq: int
    attempt: int | None
    extended_until: datetime | None

    @property
    def last_told(self) -> int:
        """The number of the last line of the ledger that exists: a turn in flight holds the one behind it."""
        return self.last_seq - (self.attempt is not None)


class OpenRow(NamedTuple):
    """An open dialogue, in the order of `TALK_COLUMNS`."""

    id: UUID
    tester: str
    bot: str
    scenario: str
    opened_at: datetime
    turns_used: int
    turn_cap: int | None
    subtask_index: int
    subtask_turns: int
    subtask_cap: int | None


class Known(NamedTuple):
    """How far the ledger of an open dialogue was read, and what the wall shows of it."""

    last_told: int
    talk: SeenTalk


class Looks:
    """The looks at one campaign, one after the other, and the wall that they make. Used by one thread at a time."""

    def __init__(self, campaign_id: int) -> None:
        self._campaign_id = campaign_id
        self._anew_at: datetime | None = None
        self._looked_at: datetime | None = None
        self._known: dict[UUID, Known] = {}

    def look(self, at: datetime) -> Wall:
        """The wall as it is now. Errors: `Campaign.DoesNotExist`."""
        is_behind = self._looked_at is not None and at < self._looked_at
        if self._anew_at is None or at >= self._anew_at or is_behind:
            self._begin_anew(at)
        self._looked_at = at
        # The turn in flight is read in one statement with the rest: between two it could begin or end.
        in_flight = FilteredRelation("turns", condition=Q(turns__status=TurnStatus.WAITING))
        open_dialogues = self._dialogues().open().annotate(in_flight=in_flight).order_by()
        heads = {row[0]: Head._make(row) for row in open_dialogues.values_list(*HEAD_COLUMNS)}
        outcomes = self._catch_up(heads)
        self.wall.take(self._seen(at, [known.talk for known in self._known.values()], outcomes))
        return self.wall

    def _begin_anew(self, at: datetime) -> None:
        self.campaign = Campaign.objects.get(pk=self._campaign_id)
        self.policy = turn_policy_of(self.campaign)
        self.wall = Wall(terms_of(self.campaign))
        self._day = localtime(at, ZoneInfo(self.campaign.time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
        self._anew_at = min(at + ANEW_EVERY, self._day + timedelta(days=1))
        self._n_parts = n_parts(self.campaign)
        self._plan_at = at
        self._counts: dict[str, Any] = {}
        self._known = {}
        self._is_new = True

    def _dialogues(self) -> Any:
        return Dialogue.objects.of_campaign(self.campaign).filter(origin=Dialogue.Origin.LIVE)

    # -- what came of calls since the last look -------------------------------------------------------------------

    def _catch_up(self, heads: Mapping[UUID, Head]) -> list[tuple[str, CallOutcome]]:
        """Reads the dialogues that went on or ended, and what came of calls in them; after a new beginning all of today."""
        changed = self._rows_of([head.id for head in heads.values() if self._last_read(head.id) != head.last_told])
        gone = {dialogue_id: known.talk.bot for dialogue_id, known in self._known.items() if dialogue_id not in heads}
        behind = gone | (self._closed_today() if self._is_new else {}) | {row.id: row.bot for row in changed}
        since = {row.id: row.opened_at for row in changed}
        heard = [*self._replies(behind, heads, since), *self._failures(behind, heads, since)]
        for row in changed:
            head = heads[row.id]
            self._known[row.id] = Known(head.last_told, self._talk(row, head, since[row.id]))
        for dialogue_id in gone:
            del self._known[dialogue_id]
        # More time is no line of the ledger.
        for dialogue_id, (last_told, talk) in self._known.items():
            until = heads[dialogue_id].extended_until
            if talk.extended_until != until:
                self._known[dialogue_id] = Known(last_told, replace(talk, extended_until=until))
        self._is_new = False
        return sorted(heard, key=lambda found: found[1].at)

    def _rows_of(self, dialogue_ids: list[UUID]) -> list[OpenRow]:
        found: list[OpenRow] = []
        for some in parts_of(dialogue_ids):
            rows = Dialogue.objects.filter(pk__in=some).order_by().values_list(*TALK_COLUMNS)
            found += [OpenRow._make(row) for row in rows]
        return found

    def _closed_today(self) -> dict[UUID, str]:
        closed = self._dialogues().filter(closed_at__gte=self._day).order_by()
        return dict(closed.values_list("pk", "assignment__entry__alias"))

    def _last_read(self, dialogue_id: UUID) -> int:
        return self._known[dialogue_id].last_told if dialogue_id in self._known else -1

    def _is_unheard(self, dialogue_id: UUID, seq: int, heads: Mapping[UUID, Head]) -> bool:
        """Lines behind the last look's, up to this one's: what was told since the heads were read is the next look's."""
        is_told = dialogue_id not in heads or seq <= heads[dialogue_id].last_told
        return is_told and seq > self._last_read(dialogue_id)

    def _replies(
        self, behind: Mapping[UUID, str], heads: Mapping[UUID, Head], since: dict[UUID, datetime]
    ) -> Iterator[tuple[str, CallOutcome]]:
        columns = ("dialogue_id", "number", "status", "latency_ms", "outcome_seq", "asked_at", "settled_at")
        for some in parts_of(behind):
            turns = Turn.objects.filter(dialogue__in=some).order_by().values_list(*columns)
            for dialogue_id, number, status, latency_ms, seq, asked_at, settled_at in turns:
                happened(since, dialogue_id, asked_at, settled_at)
                is_answer = status == TurnStatus.ANSWERED and settled_at >= self._day
                if is_answer and self._is_unheard(dialogue_id, seq, heads):
                    answer = CallOutcome(settled_at, str(dialogue_id), number, latency_ms=latency_ms or 0)
                    yield behind[dialogue_id], answer

    def _failures(
        self, behind: Mapping[UUID, str], heads: Mapping[UUID, Head], since: dict[UUID, datetime]
    ) -> Iterator[tuple[str, CallOutcome]]:
        for some in parts_of(behind):
            noted = LedgerEvent.objects.filter(dialogue__in=some).order_by("dialogue_id", "seq")
            lines = list(noted.values_list("dialogue_id", "seq", "kind", "at", "frame"))
            booked = booked_faults((dialogue_id, seq, kind, frame) for dialogue_id, seq, kind, _at, frame in lines)
            for dialogue_id, seq, kind, at, frame in lines:
                happened(since, dialogue_id, at)
                is_failure = kind == TurnFailed.kind and at >= self._day
                if is_failure and self._is_unheard(dialogue_id, seq, heads):
                    failure = failure_of(frame, str(dialogue_id), at)
                    fault = booked.get((dialogue_id, seq), failure.fault)
                    yield behind[dialogue_id], replace(failure, fault=fault)

    # -- the rest of a look ---------------------------------------------------------------------------------------

    def _talk(self, row: OpenRow, head: Head, since: datetime) -> SeenTalk:
        budget = budget_of(row)
        index = 1 if row.turn_cap is not None else row.subtask_index
        turns, cap = self.policy.turns_of_part(index, budget.spent, budget.cap)
        return SeenTalk(
            id=str(row.id),
            tester=row.tester,
            bot=row.bot,
            scenario=row.scenario,
            part=row.subtask_index,
            n_parts=self._n_parts.get(row.scenario, 1),
            turns=turns,
            cap=cap or 0,
            waits_for=TESTER if head.attempt is None else BOT,
            since=since,
            attempt=head.attempt or 1,
            extended_until=head.extended_until,
        )

    def _seen(self, at: datetime, talks: list[SeenTalk], outcomes: list[tuple[str, CallOutcome]]) -> Seen:
        if at >= self._plan_at:
            self._assigned, self._needed = self._plan()
            self._plan_at = at + PLAN_EVERY
        testers = self.campaign.roles.testers().order_by("person__username")
        names = dict(testers.values_list("person", "person__username"))
        present = present_among(names, at)
        return Seen(
            at=at,
            talks=talks,
            bots=[SeenBot(*row) for row in self._bots()],
            testers=list(names.values()),
            tallies=self._tallies_now(),
            assigned=self._assigned,
            needed=self._needed,
            outcomes=outcomes,
            online=present.online,
            seen_at=present.seen_at,
        )

    def _plan(self) -> tuple[dict[tuple[str, str], int], int | None]:
        """How many assignments each tester has with each bot, and how many there are where any was drawn."""
        dialogues = Dialogue.objects.filter(assignment=OuterRef("pk"))
        # Work done elsewhere or left by a withdrawn bot is not to be done.
        to_do = Q(entry__withdrawn_at=None) | Exists(dialogues.counted())
        asked = self.campaign.assignments.filter(to_do).exclude(
            Exists(dialogues.filter(origin=Dialogue.Origin.IMPORTED))
        )
        rows = asked.order_by().values_list("tester__username", "entry__alias")
        assigned, n_drawn = {}, 0
        for tester, alias, n, drawn in rows.annotate(n=Count("pk"), drawn=Count("pk", filter=Q(is_drawn=True))):
            assigned[tester, alias] = n
            n_drawn += drawn
        return assigned, sum(assigned.values()) if n_drawn else None

    def _bots(self) -> QuerySet[Any, Any]:
        entries = self.campaign.entries.declared().order_by("alias")
        return entries.values_list("alias", "paused_at", "paused_because", "withdrawn_at")

    def _tallies_now(self) -> list[Tally]:
        """Counted again only where a dialogue was opened, closed, scored or declared void since."""
        counts = (
            self._dialogues()
            .counted()
            .aggregate(n=Count("pk"), closed=Count("closed_at"), scored=Count("scored_at"), last=Max("scored_at"))
        )
        if counts != self._counts:
            self._counts, self._counted = counts, list(self._tallies())
        return self._counted

    def _tallies(self) -> Iterator[Tally]:
        """Per tester and bot what is done: closed, and scored where testers score."""
        closed = Q(status__in=[DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED])
        done_at = "scored_at" if self.campaign.testers_score else "closed_at"
        is_done = closed & Q(**{f"{done_at}__isnull": False})
        today = Q(opened_at__gte=self._day)
        rows = (
            self._dialogues()
            .counted()
            .order_by()
            .values_list("tester__username", "assignment__entry__alias")
            .annotate(
                n=Count("pk", filter=is_done),
                n_today=Count("pk", filter=is_done & Q(**{f"{done_at}__gte": self._day})),
                n_unscored=Count("pk", filter=closed & ~is_done),
                first=Min("opened_at", filter=today),
                opened=Max("opened_at", filter=today),
                done=Max(F(done_at), filter=Q(**{f"{done_at}__gte": self._day})),
            )
        )
        for tester, bot, n, n_today, n_unscored, first, opened, done in rows:
            last = max((at for at in (opened, done) if at), default=None)
            yield Tally(tester, bot, n, n_today, n_unscored, first or done, last)


def parts_of(dialogue_ids: Iterable[UUID]) -> Iterator[list[UUID]]:
    """As many dialogues at a time as one query may name."""
    ids = list(dialogue_ids)
    for start in range(0, len(ids), DIALOGUES_PER_QUERY):
        yield ids[start : start + DIALOGUES_PER_QUERY]


def happened(since: dict[UUID, datetime], dialogue_id: UUID, *times: datetime | None) -> None:
    """Notes the last of the times, for a dialogue that is open."""
    if dialogue_id in since:
        since[dialogue_id] = max(since[dialogue_id], *(at for at in times if at is not None))


def booked_faults(lines: Iterable[tuple[UUID, int, str, str]]) -> dict[tuple[UUID, int], str]:
    """The faults that organizers booked, by dialogue and number of the failure's line; the lines come in their order."""
    failed: dict[tuple[UUID, int], int] = {}
    booked: dict[tuple[UUID, int], str] = {}
    for dialogue_id, seq, kind, frame in lines:
        if kind == TurnFailed.kind:
            failed[dialogue_id, json.loads(frame)["turn"]] = seq
        elif kind == FaultBooked.kind:
            told = json.loads(frame)
            booked[dialogue_id, failed[dialogue_id, told["turn"]]] = told["fault"]
    return booked


def failure_of(frame: str, dialogue: str, at: datetime) -> CallOutcome:
    """The failed call that a line of the ledger tells of."""
    told = json.loads(frame)
    return CallOutcome(at, dialogue, told["turn"], kind=told["kind"], fault=told["fault"])


def terms_of(campaign: Campaign) -> Terms:
    return Terms(
        timedelta(seconds=campaign.reply_deadline_s),
        timedelta(minutes=campaign.silence_limit_min),
        campaign.testing_until,
        finishing_until(campaign),
    )


def n_parts(campaign: Campaign) -> dict[str, int]:
    """How many parts each scenario has, by its key."""
    found: dict[str, int] = defaultdict(int)
    for key in Subtask.objects.filter(scenario__campaign=campaign).values_list("scenario__key", flat=True):
        found[key] += 1
    return found


def wall_now(campaign: Campaign, at: datetime) -> WholeWall:
    """In the language that is active. The number of queries does not grow with the campaign."""
    sections = Looks(campaign.pk).look(at).sections()
    language = get_language() or ""
    needs = NeedsOf(campaign.pk).shown({language}, at, sections)[language]
    titles = {scenario.key: scenario.title for scenario in campaign.scenarios.all()}
    return state(sections, at=at, titles=titles, needs=needs)
