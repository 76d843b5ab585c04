"""What is read of a dialogue for a socket or a bot: its state, the events after a number, what was said before."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Max, Q

from accounts.models import Person
from audit.models import epoch_of_trail
from campaigns.bot_addresses import address_asked
from campaigns.interests import barred_entries
from campaigns.models import Assignment, Campaign, Entry, EntryQuerySet, Scenario, TeamMember
from dialogues.events import DialogueState, SubtaskState, accepted_frame, reply_frame
from dialogues.masking import Masker, is_long_enough, masker_of
from dialogues.models import (
    Attempt,
    BotState,
    Dialogue,
    DialogueQuerySet,
    DialogueSubtask,
    LedgerEvent,
    Presence,
    Probe,
    Turn,
)
from dialogues.turn_taking import OPENING, DialogueStatus, TurnStatus, is_gone
from participants.adapters import BotAddress, Context, History, State, Utterance
from participants.adapters.calls import read_again
from participants.bot_form import DIAL_OUT
from participants.bot_urls import named_host
from participants.failures import FailureKind
from serving.commits.statements import Statement

BOT_NAMES = ("bot__team__name", "bot__team__name_en", "bot__name")
DIALOGUES_PER_LOOK = 1000
PROBES_PER_LOOK = 20
# How often a process reports its testers; one silent for longer has ended.
BEAT = timedelta(seconds=10)
LOST_AFTER = 3 * BEAT
P = ParamSpec("P")
T = TypeVar("T")


async def look_up(query: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What `query` reads, on the database thread.

    Sockets hold no request that would check its connection first: after a restart of PostgreSQL it is found dead here,
    and the query is made once more on a new one.
    """
    return await sync_to_async(_read)(query, *arguments, **named)


def _read(query: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    may_be_stale = connection.connection is not None and not connection.in_atomic_block
    try:
        return query(*arguments, **named)
    except (OperationalError, InterfaceError):
        if not may_be_stale:
            raise
        connection.close()
    return query(*arguments, **named)


def counted_statuses(campaign: Campaign) -> dict[int, str]:
    """The state of each assignment's counted dialogue, by the assignment's id. Imported ones cover nothing of a plan."""
    live = Dialogue.objects.of_campaign(campaign).counted().filter(origin=Dialogue.Origin.LIVE)
    return dict(live.values_list("assignment_id", "status"))


def void_assignments(campaign: Campaign) -> set[int]:
    """Assignments that began but whose dialogues count nowhere."""
    begun = campaign.assignments.filter(started_at__isnull=False).values_list("pk", flat=True)
    return set(begun) - counted_statuses(campaign).keys()


def offered_to(person: Person, campaign: Campaign, at: datetime) -> EntryQuerySet:
    """The bots that the person may choose now, as a tester."""
    return campaign.entries.offered(campaign, at).exclude(pk__in=barred_entries(person))


def tested_by(person: Person) -> DialogueQuerySet:
    """The dialogues that the person had as a tester, except with bots in which they have acquired an interest."""
    return Dialogue.with_programs.of_tester(person).exclude(assignment__entry__in=barred_entries(person)).with_names()


@dataclass(frozen=True, slots=True)
class Briefing:
    """What stays the same over a dialogue's calls: whom to ask, with what context, how long to wait, what to mask."""

    bot: BotAddress
    context: Context
    reply_deadline_s: float
    masker: Masker
    language: str = "zh"
    campaign_id: int = 0
    entry_id: int = 0
    team_id: int = 0
    is_live: bool = True


class About(NamedTuple):
    """What a briefing is about: the same for all dialogues of a scenario with a system."""

    scenario_id: int
    entry_id: int
    is_live: bool


def briefing(dialogue_id: UUID) -> Briefing:
    """Errors: `Refusal` (`closed`) where the dialogue was deleted."""
    return briefing_about(about_of(dialogue_id))


def about_of(dialogue_id: UUID) -> About:
    """Errors: `Refusal` (`closed`) where the dialogue was deleted."""
    of = Dialogue.everything.filter(pk=dialogue_id).values_list("assignment__scenario", "assignment__entry", "origin")
    found = of.first()
    if found is None:
        raise is_gone()
    scenario_id, entry_id, origin = found
    return About(scenario_id, entry_id, origin == Dialogue.Origin.LIVE)


def briefing_about(about: About) -> Briefing:
    """Errors: `Refusal` (`closed`) where its campaign was deleted."""
    entry = Entry.objects.select_related("bot", "campaign").filter(pk=about.entry_id).first()
    scenario = Scenario.objects.filter(pk=about.scenario_id).first()
    if entry is None or scenario is None:
        raise is_gone()
    campaign = entry.campaign
    return Briefing(
        bot=address_asked(entry),
        context=Context(scenario.given_to_bots(campaign), campaign.context_message),
        reply_deadline_s=campaign.reply_deadline_s,
        masker=masker_of(masked_words(campaign)),
        language=campaign.language,
        campaign_id=campaign.pk,
        entry_id=entry.pk,
        team_id=entry.bot.team_id,
        is_live=about.is_live,
    )


@dataclass(frozen=True, slots=True)
class ProbedBot:
    """A bot that the platform paused, as it is asked whether it answers again."""

    entry_id: int
    team_id: int
    bot: BotAddress
    language: str
    deadline_s: float


def due_probes(at: datetime) -> list[ProbedBot]:
    """Those that are to be asked now; the process that claims one asks it."""
    due = Probe.objects.due(at).select_related("entry__campaign", "entry__bot").order_by("due_at", "pk")
    # Left out before they are counted: they stay due, and enough of them would keep all others from being asked.
    can_be_asked = (probe.entry for probe in due if not probe.entry.has_lost_its_secret())
    return [
        ProbedBot(
            entry.pk,
            entry.bot.team_id,
            address_asked(entry),
            entry.campaign.language,
            entry.campaign.reply_deadline_s,
        )
        for entry in islice(can_be_asked, PROBES_PER_LOOK)
    ]


def last_answer(since: datetime) -> datetime | None:
    """When a bot that we call last answered a tester, good or bad and whichever process asked; None where none did since then."""
    lately = Dialogue.objects.filter(
        Q(status=DialogueStatus.OPEN) | Q(closed_at__gte=since), origin=Dialogue.Origin.LIVE
    )
    lately = lately.exclude(assignment__entry__protocol=DIAL_OUT)
    answered = Turn.objects.filter(dialogue__in=lately, status=TurnStatus.ANSWERED, settled_at__gt=since)
    # Half an answer is as old as its deadline is long.
    bad = Attempt.objects.filter(turn__dialogue__in=lately, outcome=Attempt.Outcome.FAILURE, status__isnull=False)
    bad = bad.filter(ended_at__gt=since).exclude(kind=FailureKind.TIMEOUT_TOTAL)
    heard = (answered.aggregate(at=Max("settled_at"))["at"], bad.aggregate(at=Max("ended_at"))["at"])
    return max((at for at in heard if at is not None), default=None)


def masked_words(campaign: Campaign) -> tuple[str, ...]:
    """What would tell who made a bot: the campaign's teams and bots, the hosts that its bots run on, and the words that it lists.

    Teams take part with an entry, or with automatic runs alone: then they have members only.
    """
    entered = Entry.objects.filter(campaign=campaign).order_by("pk")
    members = TeamMember.objects.filter(campaign=campaign).order_by("team_id")
    listed = (
        *((*names, named_host(url)) for *names, url in entered.values_list(*BOT_NAMES, "url")),
        *members.values_list("team__name", "team__name_en"),
    )
    names = dict.fromkeys(name for row in listed for name in row)
    return (*campaign.masked_words, *filter(is_long_enough, names))


# All in one statement: between two a turn could begin or end, and `last_told` would name a line that does not exist.
_ARRIVAL = Statement(
    f"""
SELECT dialogue.status, dialogue.turns_used, dialogue.turn_cap, dialogue.subtask_turns, dialogue.last_seq, dialogue.reason,
       (SELECT turn.number FROM {Turn._meta.db_table} turn
        WHERE turn.dialogue_id = dialogue.id AND turn.status = '{TurnStatus.WAITING.value}'),
       campaign.turns_are, campaign.opened_by, campaign.slug, dialogue.tester_id, tester.kind,
       assignment.id, assignment.is_practice, assignment.scenario_id, assignment.entry_id, dialogue.origin
FROM {Dialogue._meta.db_table} dialogue
JOIN {Person._meta.db_table} tester ON tester.id = dialogue.tester_id
JOIN {Assignment._meta.db_table} assignment ON assignment.id = dialogue.assignment_id
JOIN {Campaign._meta.db_table} campaign ON campaign.id = assignment.campaign_id
WHERE dialogue.id = %s""",
    (Dialogue, "id"),
)
_SUBTASKS = Statement(
    f"""
SELECT subtask."index", subtask.kind, subtask.turns_used, subtask.turn_cap, subtask.status
FROM {DialogueSubtask._meta.db_table} subtask WHERE subtask.dialogue_id = %s ORDER BY 1""",
    (DialogueSubtask, "dialogue"),
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A dialogue as a socket finds it, and what decides who may join it and what its bot is told."""

    state: DialogueState
    tester_id: int
    assignment_id: int
    campaign: str
    is_practice: bool
    about: About

    @property
    def is_opening_due(self) -> bool:
        """Whether the bot is to speak first and has not been asked to."""
        return self.state.opened_by == "bot" and self.state.status == DialogueStatus.OPEN and not self.state.last_seq


def arrival_at(dialogue_id: UUID) -> Arrival:
    """Its total cap is the dialogue's own or the sum of its subtasks'. Errors: `Dialogue.DoesNotExist`."""
    found = _ARRIVAL(dialogue_id).fetchone()
    if found is None:
        raise Dialogue.DoesNotExist
    status, turns_used, turn_cap, subtask_turns, last_seq, reason, waiting, turns_are, opened_by, *who = found
    campaign, tester_id, tester_kind, assignment_id, is_practice, scenario_id, entry_id, origin = who
    subtasks = [
        # The current one is counted in the dialogue's row until it closes.
        SubtaskState(index, kind, subtask_turns if status == of_subtask == "open" else used, cap, of_subtask)
        for index, kind, used, cap, of_subtask in _SUBTASKS(dialogue_id).fetchall()
    ]
    state = DialogueState(
        status=status,
        turns_used=turns_used,
        turn_cap=turn_cap or sum(subtask.turn_cap or 0 for subtask in subtasks),
        subtasks=subtasks,
        last_seq=last_seq - (waiting is not None),
        waiting=waiting,
        reason=reason,
        turns_are=turns_are,
        opened_by=opened_by,
        epoch=epoch_of_trail(),
        tester_kind=tester_kind,
    )
    about = About(scenario_id, entry_id, origin == Dialogue.Origin.LIVE)
    return Arrival(state, tester_id, assignment_id, campaign, bool(is_practice), about)


def state_of(dialogue_id: UUID) -> DialogueState:
    return arrival_at(dialogue_id).state


def events_after(dialogue_id: UUID, after: int) -> list[tuple[int, str]]:
    """The dialogue's lines with a larger number, in order and without a gap, as they were sent.

    Turns and ledger are two statements: lines that only the second saw are left out; callers that need them ask again.
    """
    found: dict[int, str] = {}
    for turn in Turn.objects.filter(dialogue_id=dialogue_id, outcome_seq__gt=after):
        found.update(lines_of(turn))
    found.update(LedgerEvent.objects.filter(dialogue_id=dialogue_id, seq__gt=after).values_list("seq", "frame"))
    lines = []
    while (frame := found.get(after + 1)) is not None:
        after += 1
        lines.append((after, frame))
    return lines


def lines_of(turn: Turn) -> list[tuple[int, str]]:
    """The ledger's lines that a turn's row stands for: that it was accepted, and the reply if there is one."""
    lines = [(turn.seq, accepted_frame(turn.seq, turn.number, turn.key, turn.text, turn.subtask))]
    if turn.status == TurnStatus.ANSWERED:
        frame = reply_frame(turn.outcome_seq, turn.number, turn.texts, turn.latency_ms or 0, turn.flags, turn.choices)
        lines.append((turn.outcome_seq, frame))
    return lines


def silent_dialogues(at: datetime) -> list[UUID]:
    """The open dialogues in which nothing was said for as long as their campaigns wait."""
    of_open = Dialogue.everything.open().order_by().values_list("assignment__campaign__silence_limit_min", flat=True)
    return [
        dialogue_id
        for limit_min in of_open.distinct()
        for dialogue_id in Dialogue.everything.silent(timedelta(minutes=limit_min), at)
        .filter(assignment__campaign__silence_limit_min=limit_min)
        .values_list("pk", flat=True)
    ]


def overdue_dialogues(at: datetime) -> list[UUID]:
    """The open dialogues of campaigns whose time to finish them is over."""
    return list(Dialogue.everything.overdue(at).values_list("pk", flat=True))


def last_seqs(dialogue_ids: Sequence[UUID]) -> list[tuple[UUID, int]]:
    """The number of the last ledger line of each of those dialogues that has any."""
    found: list[tuple[UUID, int]] = []
    for start in range(0, len(dialogue_ids), DIALOGUES_PER_LOOK):
        some = Dialogue.everything.filter(pk__in=dialogue_ids[start : start + DIALOGUES_PER_LOOK], last_seq__gt=0)
        found += [(one.pk, one.last_told) for one in some.with_waiting().only("last_seq")]
    return found


def attempts_of(turn: Turn) -> list[Attempt]:
    """Every request of a turn in order, also the one that a row of its own would tell nothing more about."""
    return all_attempts(turn, list(turn.attempts.order_by("number", "request", "pk")))


def all_attempts(turn: Turn, stored: list[Attempt]) -> list[Attempt]:
    """The stored requests in order, and the one which the turn's reply answered, if the reply is shown as it came."""
    if turn.status != TurnStatus.ANSWERED or any(one.outcome == Attempt.Outcome.REPLY for one in stored):
        return stored
    assert turn.settled_at is not None, "an answered turn was settled"
    n_resent = sum(one.number == turn.attempt_number and one.outcome == Attempt.Outcome.RESENT for one in stored)
    answered = Attempt(
        turn=turn,
        number=turn.attempt_number,
        request=n_resent + 1,
        outcome=Attempt.Outcome.REPLY,
        status=200,
        texts=turn.texts,
        latency_ms=turn.latency_ms,
        wire=turn.wire or {},
        ended_at=turn.settled_at,
    )
    return sorted([*stored, answered], key=lambda one: (one.number, one.request, one.outcome == Attempt.Outcome.LATE))


def said_before(dialogue_id: UUID, number: int) -> History:
    """What tester and bot said before that turn, oldest first; failed turns were not heard and are left out."""
    said: list[Utterance] = []
    latest_state = None
    earlier = Turn.objects.filter(dialogue_id=dialogue_id, number__lt=number, status=TurnStatus.ANSWERED)
    # States are long, and only the latest one is needed: what is read for each turn is whether it has one.
    for *turn, state in earlier.values_list("number", "text", "texts", "bot_state__pk"):
        said += utterances(*turn)
        latest_state = state
    if latest_state is None:
        return History(said, None)
    return History(said, read_again(BotState.objects.values_list("written", flat=True).get(pk=latest_state)))


def latest_state(dialogue_id: UUID) -> State:
    """What the bot gave with its latest reply."""
    answered = Turn.objects.filter(dialogue_id=dialogue_id, status=TurnStatus.ANSWERED)
    given = answered.order_by("-number").values_list("bot_state__written", flat=True).first()
    return None if given is None else read_again(given)


def was_bot_asked(dialogue_id: UUID) -> bool:
    return Turn.objects.filter(dialogue_id=dialogue_id).exists()


def utterances(number: int, text: str, texts: Sequence[str]) -> list[Utterance]:
    """What was said in an answered turn; in the opening the tester says nothing."""
    answer = Utterance("bot", "\n".join(texts))
    return [answer] if number == OPENING else [Utterance("user", text), answer]


@dataclass(frozen=True, slots=True)
class Present:
    """User names online, and when each was last seen."""

    online: frozenset[str] = frozenset()
    seen_at: dict[str, datetime] = field(default_factory=dict)


def present_among(people: Collection[int], at: datetime) -> Present:
    """Of those people; one query."""
    is_online = Max("seen_at", filter=Q(is_there=True, seen_at__gt=at - LOST_AFTER))
    rows = Presence.objects.filter(person__in=people).order_by().values_list("person__username")
    found = list(rows.annotate(last=Max("seen_at"), there=is_online))
    return Present(
        online=frozenset(name for name, _, there in found if there), seen_at={name: last for name, last, _ in found}
    )
