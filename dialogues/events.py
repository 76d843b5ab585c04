"""What browsers and programs are told (design §6): one frozen dataclass per event, each a JSON frame.

Events with `seq` change the dialogue and stand in the ledger; the others are passing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from dataclasses import fields as fields_of
from typing import Any, ClassVar, TypedDict

from dialogues.turn_policy import EXCHANGES


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """Base of the events that are stored: `frame(seq)` is what is kept and sent."""

    kind: ClassVar[str]

    def frame(self, seq: int) -> str:
        fields = {one.name: value for one in fields_of(self) if (value := getattr(self, one.name)) is not None}
        return encode({"type": self.kind, "seq": seq, **fields})


@dataclass(frozen=True, slots=True)
class TurnAccepted(LedgerLine):
    kind: ClassVar[str] = "turn.accepted"
    turn: int
    key: str
    text: str
    subtask: int
    turns_used: int


@dataclass(frozen=True, slots=True)
class ReplyDone(LedgerLine):
    kind: ClassVar[str] = "reply.done"
    turn: int
    texts: Sequence[str]
    latency_ms: int
    flags: Sequence[str] | None = None
    # Lines of the texts that the bot offers as answers.
    choices: Sequence[str] | None = None


class TurnFailedFrame(TypedDict):
    """The failure of a turn as it is sent: `kind` is that of the failure."""

    type: str
    seq: int
    turn: int
    kind: str
    fault: str
    retryable: bool
    retries_left: int
    message: str


@dataclass(frozen=True, slots=True)
class TurnFailed(LedgerLine):
    kind: ClassVar[str] = "turn.failed"
    turn: int
    # `kind` of the wire format; the class variable of that name is the event's type.
    failure: str
    fault: str
    retries_left: int
    message: str

    def frame(self, seq: int) -> str:
        frame: TurnFailedFrame = {
            "type": self.kind,
            "seq": seq,
            "turn": self.turn,
            "kind": self.failure,
            "fault": self.fault,
            "retryable": self.retries_left > 0,
            "retries_left": self.retries_left,
            "message": self.message,
        }
        return encode(frame)


@dataclass(frozen=True, slots=True)
class TurnRetried(LedgerLine):
    """A failed turn is being asked again; its outcome follows."""

    kind: ClassVar[str] = "turn.retried"
    turn: int


@dataclass(frozen=True, slots=True)
class SubtaskClosed(LedgerLine):
    kind: ClassVar[str] = "subtask.closed"
    subtask: int
    status: str


@dataclass(frozen=True, slots=True)
class DialogueClosed(LedgerLine):
    kind: ClassVar[str] = "dialogue.closed"
    status: str
    reason: str
    # What an organizer who ended it tells the tester.
    because: str | None = None


@dataclass(frozen=True, slots=True)
class DialogueReturned(LedgerLine):
    """Experts sent the collected dialogue back: it is to be done again."""

    kind: ClassVar[str] = "dialogue.returned"
    because: str


@dataclass(frozen=True, slots=True)
class DialogueVoided(LedgerLine):
    """A closed dialogue counts nowhere any more, and its assignment is open again."""

    kind: ClassVar[str] = "dialogue.voided"
    because: str


@dataclass(frozen=True, slots=True)
class DialogueRestored(LedgerLine):
    """A void dialogue counts again, with that outcome."""

    kind: ClassVar[str] = "dialogue.restored"
    status: str
    reason: str
    because: str


@dataclass(frozen=True, slots=True)
class FaultBooked(LedgerLine):
    """From here on, the failure of that turn is booked as another party's fault."""

    kind: ClassVar[str] = "fault.booked"
    turn: int
    fault: str
    because: str


def accepted_frame(seq: int, number: int, key: str, text: str, subtask: int) -> str:
    """The line that says that a turn is stored. Its number is how many turns are used with it."""
    return TurnAccepted(number, key, text, subtask, number).frame(seq)


def reply_frame(
    seq: int,
    number: int,
    texts: Sequence[str],
    latency_ms: int,
    flags: Sequence[str],
    choices: Sequence[Sequence[int]] | None = None,
) -> str:
    return ReplyDone(number, texts, latency_ms, flags or None, lines_at(texts, choices or ()) or None).frame(seq)


def lines_at(texts: Sequence[str], places: Sequence[Sequence[int]]) -> list[str]:
    """The lines at (bubble, line), as they are shown; what was cut or redacted away is left out."""
    bubbles = [text.split("\n") for text in texts]
    return [
        bubbles[bubble][line]
        for bubble, line in places
        if bubble < len(bubbles) and line < len(bubbles[bubble]) and bubbles[bubble][line].strip()
    ]


@dataclass(frozen=True, slots=True)
class SubtaskState:
    index: int
    kind: str
    turns_used: int
    turn_cap: int | None
    status: str


@dataclass(frozen=True, slots=True)
class DialogueState:
    """Sent on every (re)connect, before the events the browser has not seen; `waiting` is the turn in flight.

    Its numbers count exchanges, whatever the campaign's `turns_are`.
    """

    status: str
    turns_used: int
    turn_cap: int
    subtasks: list[SubtaskState]
    last_seq: int
    waiting: int | None = None
    reason: str = ""
    turns_are: str = EXCHANGES
    opened_by: str = "tester"
    # Another one than before: the database was restored from a backup, and what the browser saw may be gone.
    epoch: str = ""
    # `program` where an account of a program talks.
    tester_kind: str = "person"

    def frame(self) -> str:
        return encode({"type": "dialogue.state", **asdict(self)})


@dataclass(frozen=True, slots=True)
class ErrorFrame:
    code: str
    message: str
    extra: dict[str, Any] = field(default_factory=dict)

    def frame(self) -> str:
        return encode({"type": "error", "code": self.code, "message": self.message, **self.extra})


def reply_delta(turn: int, text: str) -> str:
    return encode({"type": "reply.delta", "turn": turn, "text": text})


def turn_waiting(turn: int, place: int) -> str:
    """The bot answers as many turns as it can: the turn's place in the row, 0 when it has come."""
    return encode({"type": "turn.waiting", "turn": turn, "place": place})


PONG = '{"type":"pong"}'


# One encoder: `json.dumps` with options makes one for each frame.
encode: Callable[[Mapping[str, Any]], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
