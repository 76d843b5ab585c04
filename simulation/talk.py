"""What a tester knows of its dialogue from the frames of the socket, and whose turn it is. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

TESTER, BOT = "tester", "bot"


class Next(StrEnum):
    """What is to be done: hear on, ask for a failed turn again, speak, or nothing more."""

    HEAR = "hear"
    RETRY = "retry"
    SPEAK = "speak"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Line:
    who: str
    text: str


@dataclass
class Part:
    """`cap` is None where one cap spans the dialogue; `used` are exchanges."""

    index: int
    kind: str
    cap: int | None
    status: str
    used: int = 0


@dataclass
class Talk:
    """A dialogue as its socket tells it. Frames that are told again after a reconnect change nothing (`seq`)."""

    parts: list[Part] = field(default_factory=list)
    cap: int = 0
    lines: list[Line] = field(default_factory=list)
    seq: int = 0
    last_seq: int = 0
    status: str = "open"
    reason: str = ""
    used: int = 0
    # The turn that waits for its answer, the one that failed and may be retried, and whether the opening is still to come.
    in_flight: int | None = None
    failed: int | None = None
    awaits_opening: bool = False
    awaits_closing: bool = False
    # Why the last wish was refused, until something happens.
    refused: str = ""

    @property
    def current(self) -> Part | None:
        return next((part for part in self.parts if part.status in ("open", "pending")), None)

    @property
    def left(self) -> int:
        """Exchanges until the cap in force is reached."""
        part = self.current
        if part is not None and part.cap is not None:
            return part.cap - part.used
        return self.cap - self.used

    def hear(self, frame: Mapping[str, Any]) -> None:
        kind = frame["type"]
        if kind == "dialogue.state":
            self._begin(frame)
            return
        if kind == "error":
            self.refused = frame["code"]
            # What the server refused is no longer on its way.
            self.awaits_closing = frame["code"] in ("closed", "cap_reached")
            return
        if "seq" not in frame or frame["seq"] <= self.seq:
            return
        self.seq = frame["seq"]
        self.refused = ""
        self._happened(kind, frame)

    def _begin(self, frame: Mapping[str, Any]) -> None:
        if not self.parts:
            self.parts = [
                Part(one["index"], one["kind"], one["turn_cap"], "open" if one["index"] == 1 else "pending")
                for one in frame["subtasks"]
            ]
        self.cap, self.last_seq = frame["turn_cap"], frame["last_seq"]
        # What was on its way when a line was cut may never have arrived.
        self.in_flight, self.awaits_closing = frame["waiting"], False
        if frame["status"] != "open" and not frame["last_seq"]:
            self.status = frame["status"]
        self.awaits_opening = frame["opened_by"] == "bot" and not any(line.who == BOT for line in self.lines)

    def _happened(self, kind: str, frame: Mapping[str, Any]) -> None:
        match kind:
            case "turn.accepted":
                self.in_flight, self.failed = frame["turn"], None
                if frame["turn"]:
                    self.lines.append(Line(TESTER, frame["text"]))
                    self.used += 1
                    if (part := self.current) is not None:
                        part.used += 1
            case "turn.retried":
                self.in_flight, self.failed = frame["turn"], None
            case "reply.done":
                self.lines.append(Line(BOT, "\n".join(frame["texts"])))
                self.in_flight, self.awaits_opening = None, False
                self.awaits_closing = self.left <= 0
            case "turn.failed":
                self.in_flight = None
                self.failed = frame["turn"] if frame["retryable"] else None
                if frame["turn"] == 0:
                    self.awaits_opening = frame["retryable"]
                elif not frame["retryable"]:
                    self.awaits_closing = True
            case "subtask.closed":
                self.parts[frame["subtask"] - 1].status = frame["status"]
                self.awaits_closing = self.current is None
            case "dialogue.closed":
                self.status, self.reason = frame["status"], frame["reason"]

    def next(self) -> Next:
        if self.status != "open":
            return Next.OVER
        if self.seq < self.last_seq or self.in_flight is not None or self.awaits_closing:
            return Next.HEAR
        if self.failed is not None:
            return Next.RETRY
        return Next.HEAR if self.awaits_opening else Next.SPEAK
