"""Whom an open dialogue waits for, since when and until when. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from dialogues.turn_taking import TurnStatus

BOT, TESTER = "bot", "tester"


class LastTurn(Protocol):
    @property
    def status(self) -> str: ...
    @property
    def asked_at(self) -> datetime: ...
    @property
    def settled_at(self) -> datetime | None: ...


class Limits(Protocol):
    """A campaign."""

    @property
    def reply_deadline_s(self) -> int: ...
    @property
    def silence_limit_min(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Wait:
    """At `until` the turn fails, or the dialogue closes as abandoned. A turn that was asked again waits since its last failure."""

    who: str
    since: datetime
    until: datetime

    def seconds(self, at: datetime) -> int:
        return max(0, round((at - self.since).total_seconds()))


def wait_of(opened_at: datetime, last: LastTurn | None, limits: Limits, closes_at: datetime | None = None) -> Wait:
    """For the bot while its answer is due, else for the tester since the last thing that happened.

    At `closes_at` open dialogues may no longer go on; a turn that is in flight then is waited for.
    """
    if last is not None and last.status == TurnStatus.WAITING:
        since = max(last.asked_at, last.settled_at or last.asked_at)
        return Wait(BOT, since, since + timedelta(seconds=limits.reply_deadline_s))
    since = opened_at if last is None else last.settled_at or last.asked_at
    silent_until = since + timedelta(minutes=limits.silence_limit_min)
    return Wait(TESTER, since, silent_until if closes_at is None else min(silent_until, closes_at))
