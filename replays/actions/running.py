"""A replay from its claim to its end: which one's turn it is, what came of each line, and its figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_noop

from campaigns.bot_addresses import address_asked
from campaigns.models import Entry
from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue, Turn
from dialogues.queries import masked_words
from dialogues.turn_taking import TurnStatus, shown_reply
from participants.adapters import BotAddress, Context, Reply
from participants.adapters.shown_requests import reply_without
from participants.failures import EVIDENCE_LIMIT, BotFailure, Fault, Try
from reading.findings import Finding, sentence
from reading.storable import as_logged, finding_as_logged
from replays.actions.asking import why_not_called
from replays.drift import Answers, compared
from replays.models import Replay, ReplayState, ReplayTurn

LEASE = timedelta(minutes=3)
ATTEMPT_LIMIT = 5
# A dialogue in which nothing was said for longer takes no place.
TALKS_SINCE = timedelta(minutes=5)
# Replays have at most one in this many of the turns that a system takes at a time.
PART = 4
NOT_CALLED = gettext_noop("The system could not be called: it is withdrawn, a draft, paused, or without an address.")
LEFT_TOO_OFTEN = gettext_noop("The platform left this replay in the middle %(n)s times.")
NOTHING_ANSWERED = gettext_noop("The system answered none of the lines.")


def places_for_replays(parallel: int, n_people: int) -> int:
    """The number of replays that may ask the system now, given how many dialogues of people go on with it. Pure.

    A person never waits for a replay: each of their dialogues keeps a place free, as it has one turn in flight at most. A system that is
    asked one turn at a time is replayed while nobody talks to it.
    """
    return max(0, min(max(1, parallel // PART), parallel - n_people))


def people_talking(entry: Entry, at: datetime) -> int:
    """How many dialogues of people go on with the system: each may have a turn in flight."""
    talks = Dialogue.everything.open().filter(assignment__entry=entry)
    lately = Turn.objects.filter(dialogue=OuterRef("pk"), asked_at__gte=at - TALKS_SINCE)
    return talks.filter(Q(opened_at__gte=at - TALKS_SINCE) | Exists(lately)).count()


def claim_replay(*, worker: str, at: datetime, only: Sequence[UUID] | None = None) -> Replay | None:
    """The replay whose turn it is, now this worker's; None if there is none. One that was left too often fails."""
    due = Replay.objects.due(at).select_related("against__campaign", "against__bot")
    if only is not None:
        due = due.filter(pk__in=only)
    # One system that is busy holds up no other.
    full = set[int]()
    while (replay := due.exclude(against__in=full).first()) is not None:
        entry = replay.against
        # The first to change the row has it: the others match nothing any more.
        same = Replay.objects.filter(
            pk=replay.pk, state=replay.state, worker=replay.worker, lease_until=replay.lease_until
        )
        if replay.n_attempts >= ATTEMPT_LIMIT:
            failure = sentence(LEFT_TOO_OFTEN, n=ATTEMPT_LIMIT).to_json()
            same.update(state=ReplayState.FAILED, ended_at=at, worker="", lease_until=None, failure=failure)
            continue
        running = Replay.objects.filter(against=entry, state=ReplayState.RUNNING, lease_until__gte=at).count()
        if running >= places_for_replays(entry.parallel, people_talking(entry, at)):
            full.add(entry.pk)
        elif same.update(**_begun(replay, worker, at)):
            return Replay.objects.with_names().get(pk=replay.pk)
    return None


def _begun(replay: Replay, worker: str, at: datetime) -> dict[str, Any]:
    latest = replay.against.fingerprints.filter(failure=[]).exclude(answers=[]).first()
    return {
        "state": ReplayState.RUNNING,
        "worker": worker,
        "lease_until": at + LEASE,
        "n_attempts": replay.n_attempts + 1,
        "began_at": at,
        "protocol": replay.against.protocol,
        "fingerprint": latest,
    }


@dataclass(frozen=True, slots=True)
class ReplayBrief:
    """What a replay needs at once: whom to ask, with what context, the lines in order, and what to mask.

    `may_end` says whether the system may end the dialogue, as in one with a person.
    """

    bot: BotAddress
    context: Context
    language: str
    deadline_s: float
    masker: Masker
    may_end: bool
    lines: Sequence[Turn]


def brief_of(replay: Replay) -> ReplayBrief | None:
    """None where the system is not called any more."""
    entry = Entry.objects.select_related("campaign", "bot").get(pk=replay.against_id)
    if why_not_called(entry):
        return None
    campaign, scenario = entry.campaign, replay.dialogue.assignment.scenario
    return ReplayBrief(
        bot=address_asked(entry),
        context=Context(scenario.given_to_bots(campaign), campaign.context_message),
        language=campaign.language,
        deadline_s=float(campaign.reply_deadline_s),
        masker=masker_of(masked_words(campaign)),
        may_end=campaign.bot_may_end,
        lines=list(replay.dialogue.turns.order_by("number")),
    )


def may_ask_now(*, replay: Replay, at: datetime) -> bool | None:
    """Whether the next line may be put now, beside the people who talk to the system; renews the lease.

    None where the replay is no longer this worker's: it was stopped, or another has it.
    """
    if not _held(replay).update(lease_until=at + LEASE):
        return None
    entry = Entry.objects.get(pk=replay.against_id)
    at_work = Replay.objects.filter(against=entry, state=ReplayState.RUNNING, lease_until__gte=at)
    earlier = at_work.filter(Q(began_at__lt=replay.began_at) | Q(began_at=replay.began_at, pk__lt=replay.pk)).count()
    return earlier < places_for_replays(entry.parallel, people_talking(entry, at))


@transaction.atomic
def note_reply(
    *, replay: Replay, line: Turn, reply: Reply, masker: Masker, secret: str, at: datetime
) -> ReplayTurn | None:
    """Stores what was answered, masked as testers would see it; None where the replay is no longer this worker's."""
    shown = shown_reply(reply_without(reply, secret).texts, masker, reply.latency_ms)
    said = {"outcome": ReplayTurn.Outcome.REPLY, "texts": list(shown.texts), "flags": list(shown.flags), "status": 200}
    return _note(replay, line, reply.tries, {**said, "latency_ms": reply.latency_ms}, at)


@transaction.atomic
def note_failure(*, replay: Replay, line: Turn, failure: BotFailure, at: datetime) -> ReplayTurn | None:
    """Stores that nothing was answered, and why; None where the replay is no longer this worker's."""
    said = {
        "outcome": ReplayTurn.Outcome.FAILURE,
        "kind": failure.kind.value,
        "fault": failure.fault.value,
        "status": failure.status,
        "has_left": failure.reached_bot,
        "detail": finding_as_logged(failure.detail, EVIDENCE_LIMIT).to_json(),
        "evidence": as_logged(failure.evidence, EVIDENCE_LIMIT),
        "latency_ms": failure.latency_ms,
    }
    return _note(replay, line, failure.tries, said, at)


def _note(replay: Replay, line: Turn, tries: Sequence[Try], said: Mapping[str, Any], at: datetime) -> ReplayTurn | None:
    if not _held(replay).update(lease_until=at + LEASE):
        return None
    return ReplayTurn.objects.create(
        replay=replay,
        turn=line,
        attempt=replay.n_attempts,
        number=line.number,
        wire=tries[-1].wire.stored if tries else {},
        earlier=list(_superseded(tries[:-1])),
        ended_at=at,
        **said,
    )


def _superseded(tries: Sequence[Try]) -> Iterator[dict[str, Any]]:
    for one in tries:
        yield {
            "kind": one.kind.value if one.kind else "",
            "fault": Fault.NOBODY.value,
            "status": one.status,
            "has_left": one.has_left,
            "latency_ms": one.latency_ms,
            "wire": one.wire.stored,
            "ended_at": one.ended_at.isoformat(),
        }


@transaction.atomic
def end_replay(*, replay: Replay, at: datetime, failure: Finding | None = None) -> bool:
    """Stores the figures; False where the replay is no longer this worker's. Without any answer it has failed."""
    found = compared(then_of(replay.dialogue), now_of(replay))
    has_answers = replay.turns.filter(attempt=replay.n_attempts, outcome=ReplayTurn.Outcome.REPLY).exists()
    if failure is None and not has_answers:
        failure = sentence(NOTHING_ANSWERED)
    figures: dict[str, Any] = {"failure": failure.to_json() if failure else []}
    if failure is None:
        figures |= {"n_turns": found.n_turns, "n_changed": found.n_changed}
        figures |= {"parts_at": found.parts_at, "distance": found.distance}
    state = ReplayState.FAILED if failure else ReplayState.DONE
    return bool(_held(replay).update(state=state, ended_at=at, worker="", lease_until=None, **figures))


def then_of(dialogue: Dialogue) -> Answers:
    """What was answered in the dialogue, by turn."""
    return answered_in(dialogue.turns.only("number", "status", "texts"))


def answered_in(turns: Iterable[Turn]) -> Answers:
    return {turn.number: turn.texts if turn.status == TurnStatus.ANSWERED else None for turn in turns}


def now_of(replay: Replay) -> Answers:
    """What was answered in the latest attempt."""
    return {number: one.answer for number, one in put_in(replay).items()}


def put_in(replay: Replay) -> dict[int, ReplayTurn]:
    """The lines of the latest attempt, by turn."""
    return {one.number: one for one in replay.turns.filter(attempt=replay.n_attempts)}


def give_back(*, replay: Replay) -> None:
    """Puts the replay back as if it had not been taken up: its worker was told to end. What was said in it stays, as an attempt."""
    _held(replay).update(state=ReplayState.QUEUED, worker="", lease_until=None)


def _held(replay: Replay) -> Any:
    return Replay.objects.filter(
        pk=replay.pk, worker=replay.worker, state=ReplayState.RUNNING, n_attempts=replay.n_attempts
    )
