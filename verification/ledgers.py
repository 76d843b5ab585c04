"""What the ledger of a dialogue says of its turns, and how it and its parts ended. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from verification.tables import Object

VOIDED, RETURNED, IMPORTED = "voided", "returned", "imported"
# Why a dialogue was closed that nobody talked to its end.
ABANDONED_BY = {"silence", "time_over", "ended_early"}
COUNTED = {"completed", "unfinished"}
CLOSED_PARTS = {"finished", "given_up", "cap_reached", "failed"}


@dataclass(slots=True)
class Failure:
    """A failed attempt at a turn, with the fault that was booked last."""

    at: Any
    kind: Any
    fault: Any


@dataclass(slots=True)
class TurnInLedger:
    """The lines about one turn: that it was accepted, each failed attempt, and the reply, where there is one."""

    accepted: Object | None = None
    failures: list[Failure] = field(default_factory=list)
    n_retried: int = 0
    # Of the attempt that was made last.
    reply: Object | None = None
    has_failed: bool = False

    def add(self, line: Object) -> None:
        kind, frame = line["kind"], line["frame"]
        match kind:
            case "turn.accepted":
                self.accepted = line
            case "reply.done":
                self.reply = line
            case "turn.failed":
                self.failures.append(Failure(line["at"], frame["kind"], frame["fault"]))
                self.has_failed = True
            case "turn.retried":
                self.n_retried += 1
                self.has_failed = False
            case "fault.booked":
                self.failures[-1].fault = frame["fault"]


def turns_in(ledger: Iterable[Object]) -> dict[int, TurnInLedger]:
    """By the numbers of the turns. Errors: those of odd values."""
    turns: dict[int, TurnInLedger] = {}
    for line in ledger:
        if (number := line["frame"].get("turn")) is not None:
            turns.setdefault(number, TurnInLedger()).add(line)
    return turns


class Ending:
    """How the dialogue and its parts stand after the lines of its ledger. `problem` says which line cannot follow those before it."""

    def __init__(self, ledger: Sequence[Object]) -> None:
        self.status, self.closed_at = "open", None
        self.parts: dict[int, str] = {}
        self.problem = ""
        # More than one where the lines leave it open: whether a dialogue was declared void, or a failure booked anew made it so.
        self.reasons = {""}
        self._closed_because = ""
        before = ""
        for line in ledger:
            if not self._may_follow(line):
                self.problem = self.problem or f"line {line['seq']} of its ledger cannot follow those before it"
            self._hear(line, before)
            before = line["kind"]

    def part(self, index: int) -> str:
        """What the part is called; one after the open one is still to come."""
        if index in self.parts or self.status != "open":
            return self.parts.get(index, "")
        return "pending" if any(earlier not in self.parts for earlier in range(1, index)) else "open"

    def _may_follow(self, line: Object) -> bool:
        frame = line["frame"]
        match line["kind"]:
            case "subtask.closed":
                return frame["subtask"] not in self.parts and frame["status"] in CLOSED_PARTS
            case "dialogue.closed":
                return self.status == "open" and frame["status"] in self._endings(frame["reason"])
            case "dialogue.returned" | "dialogue.voided":
                return self.status in COUNTED
            case "dialogue.restored":
                is_known = frame["reason"] == self._closed_because or self.closed_at is None
                return self.status == "void" and is_known and frame["status"] == self._outcome()
        return True

    def _endings(self, reason: str) -> set[str]:
        if reason in ABANDONED_BY:
            return {"abandoned"}
        return {"void"} if reason == VOIDED else {"void", self._outcome()}

    def _outcome(self) -> str:
        return "completed" if all(status == "finished" for status in self.parts.values()) else "unfinished"

    def _hear(self, line: Object, before: str) -> None:
        frame = line["frame"]
        match line["kind"]:
            case "subtask.closed":
                self.parts[frame["subtask"]] = frame["status"]
            case "dialogue.closed":
                self.status, self.closed_at, self.reasons = frame["status"], line["at"], {frame["reason"]}
                self._closed_because = frame["reason"]
            case "dialogue.restored":
                self.status, self.reasons = frame["status"], {frame["reason"]}
            case "dialogue.returned":
                self.status, self.reasons = "returned", {RETURNED}
            case "dialogue.voided":
                self.status = "void"
                self.reasons = self.reasons | {VOIDED} if before == "fault.booked" else {VOIDED}


def is_same_time(one: Any, other: Any) -> bool:
    """A database may write a moment in another way than Python."""
    if one == other or one is None or other is None:
        return bool(one == other)
    return datetime.fromisoformat(one) == datetime.fromisoformat(other)
