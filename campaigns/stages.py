"""The stages of a bot or service on its way into a campaign: draft, checked, admitted, frozen, withdrawn. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from campaigns.calendar import Calendar, is_after


class Stage(StrEnum):
    DRAFT = "draft"
    CHECKED = "checked"
    ADMITTED = "admitted"
    FROZEN = "frozen"
    WITHDRAWN = "withdrawn"


class Standing(Protocol):
    """What has the moments of a bot, its entry, or those of a service."""

    @property
    def registered_at(self) -> datetime | None: ...
    @property
    def draft_since(self) -> datetime | None: ...
    @property
    def green_at(self) -> datetime | None: ...
    @property
    def admitted_at(self) -> datetime | None: ...
    @property
    def frozen_at(self) -> datetime | None: ...
    @property
    def withdrawn_at(self) -> datetime | None: ...


class OnItsWay(Standing, Protocol):
    """The same with who asked for what, and the reasons that were given."""

    @property
    def submitted_at(self) -> datetime | None: ...
    @property
    def returned_because(self) -> str: ...
    @property
    def withdrawn_because(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Reached:
    """`since` is None where nobody wrote it down: of a bot that a file entered."""

    stage: Stage
    since: datetime | None


def stage_of(bot: Standing, calendar: Calendar, at: datetime) -> Reached:
    """The furthest stage that holds. A pause is apart from it, as are assignments and dialogues."""
    if bot.withdrawn_at is not None:
        return Reached(Stage.WITHDRAWN, bot.withdrawn_at)
    if bot.draft_since is not None:
        if bot.green_at is not None:
            return Reached(Stage.CHECKED, bot.green_at)
        return Reached(Stage.DRAFT, bot.draft_since)
    frozen = frozen_since(bot, calendar, at)
    if frozen is not None:
        return Reached(Stage.FROZEN, frozen)
    return Reached(Stage.ADMITTED, bot.admitted_at or bot.registered_at)


def frozen_since(bot: Standing, calendar: Calendar, at: datetime) -> datetime | None:
    """Since when URL, protocol and options stay as they are; None where they may change. A draft is never frozen."""
    if bot.draft_since is not None:
        return None
    if bot.frozen_at is not None:
        return bot.frozen_at
    if calendar.frozen_at is not None and is_after(at, calendar.frozen_at):
        return calendar.frozen_at
    return None


def is_sent_back(bot: OnItsWay) -> bool:
    """Whether an organizer asks its team to change it, which it may then do whatever the calendar says."""
    return bot.draft_since is not None and bool(bot.returned_because)


def has_fresh_report(bot: Standing, hours: int, at: datetime) -> bool:
    """Whether its latest report is green and of at most so many hours ago; 0 demands none."""
    return not hours or (bot.green_at is not None and bot.green_at >= at - timedelta(hours=hours))
