"""What the bots were asked: every request that left for one, or could not leave."""

from collections.abc import Iterator
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from dialogues.models import Attempt, Turn
from dialogues.queries import all_attempts
from dialogues.turn_taking import TurnStatus
from leaderboards.exports.parts import PLACE, Export, Row, Rows, grouped, iso, parts, places_of
from leaderboards.stored_columns import Stored, rows_of
from leaderboards.table_files.column_kinds import FLAG, TEXT, TEXTS, TIME, WHOLE, Columns
from participants.adapters.shown_requests import finding_without, without_secret
from participants.failures import wire_of
from participants.secrets import Sealed, SecretLost, unseal
from replays.models import ReplayTurn

ATTEMPT: Columns = {
    "turn": WHOLE, "attempt": WHOLE, "request": WHOLE, "outcome": TEXT, "has_left": FLAG, "status": WHOLE,
    "is_current": FLAG, "kind": TEXT, "fault": TEXT, "detail": TEXT, "evidence": TEXT, "reply": TEXTS, "latency_ms": WHOLE,
    "ended_at": TIME, "request_id": TEXT, "request_bytes": WHOLE, "response_bytes": WHOLE, "connect_ms": WHOLE,
    "first_byte_ms": WHOLE, "last_byte_ms": WHOLE, "waited_ms": WHOLE,
}  # fmt: skip
# Of a request that a replay made, its id; `bot` is then the system that it asked. Empty where a person talked.
REPLAY: Columns = {"replay": TEXT}
BOT = list(PLACE).index("bot")
ASKED = Stored(
    "dialogues_turn turn",
    dialogue="turn.dialogue_id",
    in_order_of="turn.number",
    columns={
        "turn.id": "plain", "turn.number": "plain", "turn.status": "plain", "turn.attempt_number": "plain",
        "turn.texts": "json", "turn.latency_ms": "plain", "turn.wire": "json", "turn.settled_at": "time",
    },
)  # fmt: skip


class Secrets:
    """What bots may repeat, unsealed once each; a new secret of a bot is met where it is first read."""

    def __init__(self) -> None:
        self._unsealed: dict[str, str] = {}

    def by_bot(self, campaign: Campaign) -> dict[str, str]:
        stored = campaign.entries.values_list("key", "secret")
        return {key: self._readable(Sealed(secret)) for key, secret in stored}

    def _readable(self, sealed: str) -> str:
        """The secret; empty where it can be read by nobody, and so hides nothing."""
        if sealed not in self._unsealed:
            try:
                self._unsealed[sealed] = unseal(Sealed(sealed))
            except SecretLost:
                self._unsealed[sealed] = ""
        return self._unsealed[sealed]


def attempts(campaign: Campaign) -> Rows:
    """Those of dialogues, and behind them those of replays, which count nowhere and are marked."""
    for row in attempts_in_dialogues(campaign):
        yield (*row, "")
    yield from replayed(campaign)


def replayed(campaign: Campaign) -> Rows:
    """Every request of a replay, in the order in which they were asked for."""
    secrets = Secrets().by_bot(campaign)
    found = ReplayTurn.objects.filter(replay__against__campaign=campaign).select_related(
        "replay__against", "replay__dialogue__tester", "replay__dialogue__assignment__scenario"
    )
    for one in found.order_by("replay__asked_at", "replay", "attempt", "number").iterator(chunk_size=500):
        replay, secret = one.replay, secrets.get(one.replay.against.key, "")
        assignment = replay.dialogue.assignment
        place = (
            str(replay.dialogue_id), replay.dialogue.tester.username, replay.against.key, assignment.scenario.key,
            assignment.repetition, one.number,
        )  # fmt: skip
        for number, request in enumerate(one.earlier, start=1):
            yield (*place, *_superseded(one.attempt, number, request), str(replay.pk))
        yield (*place, *_replayed(one, secret), str(replay.pk))


def _superseded(attempt: int, number: int, request: dict[str, Any]) -> Row:
    sent = (attempt, number, Attempt.Outcome.RESENT.value, request["has_left"], request["status"], False)
    failed: Row = (request["kind"], request["fault"], "", "", [], request["latency_ms"], request["ended_at"])
    return (*sent, *failed, *wire_of(request["wire"]))


def _replayed(one: ReplayTurn, secret: str) -> Row:
    """The reply is the one that is stored, masked as testers would see it."""
    sent = (one.attempt, len(one.earlier) + 1, str(one.outcome), one.has_left, one.status, True)
    detail = str(finding_without(one.what_happened, secret)) if one.what_happened else ""
    failed = (one.kind, one.fault, detail, without_secret(one.evidence, secret))
    return (*sent, *failed, list(one.texts), one.latency_ms, iso(one.ended_at), *wire_of(one.wire))


def attempts_in_dialogues(campaign: Campaign) -> Rows:
    """Every request that left for a bot, or could not leave; `reply` is the original, unmasked, in full length.

    Except the bot's secret, which some servers repeat and readers of exports need not know. What testers saw is not changed.
    """
    secrets = Secrets()
    for part in parts(campaign):
        places = places_of(part)
        # After the places: a bot may be entered and talked to while the file is sent.
        of_bot = secrets.by_bot(campaign)
        # Turns first: the requests of a turn that is settled by then are stored, too.
        turns = rows_of(ASKED, list(places))
        stored = Attempt.objects.filter(turn__dialogue__in=list(places)).order_by("number", "request", "pk")
        of_turn = grouped(stored, attrgetter("turn_id"))
        for place, asked in zip(places.values(), turns, strict=True):
            for pk, number, *turn in asked:
                if pk in of_turn:
                    requests = _with_stored(_turn(*turn), of_turn[pk], of_bot[place[BOT]])
                    yield from ((*place, number, *told) for told in requests)
                elif turn[0] == TurnStatus.ANSWERED:
                    yield (*place, number, *_answered(*turn))


def _answered(
    status: str, number: int, texts: list[str], latency_ms: int | None, wire: dict[str, Any] | None, settled_at: str
) -> Row:
    """The one request of an answered turn for which nothing is stored, as `all_attempts` tells it.

    Most requests are of this kind, so no model instance is made for them. The reply is what the tester saw, and stays.
    """
    sent = (number, 1, Attempt.Outcome.REPLY.value, True, 200, True)
    return (*sent, "", "", "", "", texts, latency_ms, settled_at, *wire_of(wire or {}))


def _with_stored(turn: Turn, stored: list[Attempt], secret: str) -> Iterator[Row]:
    for attempt in all_attempts(turn, stored):
        yield _told(attempt, secret if attempt.pk else "")


def _turn(
    status: str,
    attempt_number: int,
    texts: list[str],
    latency_ms: int | None,
    wire: dict[str, Any] | None,
    settled_at: str | None,
) -> Turn:
    """As much of the turn as its requests are told by, as it was read."""
    return Turn(
        status=status,
        attempt_number=attempt_number,
        texts=texts,
        latency_ms=latency_ms,
        wire=wire,
        settled_at=settled_at and datetime.fromisoformat(settled_at),
    )


def _told(attempt: Attempt, secret: str) -> Row:
    sent = (attempt.number, attempt.request, str(attempt.outcome), attempt.has_left, attempt.status, attempt.is_current)
    evidence, *texts = (without_secret(said, secret) for said in (attempt.evidence, *attempt.texts))
    happened = attempt.what_happened
    detail = str(finding_without(happened, secret)) if happened else ""
    failed = (attempt.kind, attempt.fault, detail, evidence)
    return (*sent, *failed, texts, attempt.latency_ms, iso(attempt.ended_at), *wire_of(attempt.wire))


ATTEMPTS = Export("attempts", _("Requests to systems"), {**PLACE, **ATTEMPT, **REPLAY}, rows=attempts)
