"""The way of a bot or service from draft to frozen, in words: each stage with since when, what is next, and who acts. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaigns.calendar import Calendar
from campaigns.stages import OnItsWay, Reached, Stage, stage_of
from look.moments import time_element

ORDER = (Stage.DRAFT, Stage.CHECKED, Stage.ADMITTED, Stage.FROZEN)


class Actor(StrEnum):
    """Who acts next: the team, the organizers, or the platform by itself."""

    TEAM = "team"
    ORGANIZERS = "organizers"
    PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class Step:
    """One stage; `note` is since when it holds, or what leads there."""

    key: str
    word: str
    note: str
    is_reached: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class Way:
    """`next` says what comes, and `actor` who acts; `who` is that in words."""

    key: str
    since: datetime | None
    because: str
    next: str
    actor: Actor
    who: str
    steps: tuple[Step, ...]


def way_of(system: OnItsWay, calendar: Calendar, at: datetime) -> Way:
    reached = stage_of(system, calendar, at)
    following, actor = _next(system, calendar, reached.stage)
    because = {Stage.DRAFT: system.returned_because, Stage.WITHDRAWN: system.withdrawn_because}.get(reached.stage, "")
    steps = tuple(_step(stage, system, calendar, reached) for stage in _shown(reached.stage))
    return Way(str(reached.stage), reached.since, because, following, actor, _named(actor), steps)


def _shown(stage: Stage) -> tuple[Stage, ...]:
    return (*ORDER, Stage.WITHDRAWN) if stage is Stage.WITHDRAWN else ORDER


def word_of(stage: Stage) -> str:
    return {
        Stage.DRAFT: _("draft"),
        Stage.CHECKED: _("checked"),
        Stage.ADMITTED: _("admitted"),
        Stage.FROZEN: _("frozen"),
        Stage.WITHDRAWN: _("withdrawn"),
    }[stage]


def _step(stage: Stage, system: OnItsWay, calendar: Calendar, now: Reached) -> Step:
    is_now = stage is now.stage
    is_reached = is_now or _is_behind(stage, system, now.stage)
    moment = now.since if is_now else _since(stage, system)
    is_to_come = not is_reached and now.stage is not Stage.WITHDRAWN
    note = _said(moment, calendar) if is_reached and moment else _to_come(stage, calendar) if is_to_come else ""
    return Step(str(stage), word_of(stage), note, is_reached, is_now)


def _is_behind(stage: Stage, system: OnItsWay, now: Stage) -> bool:
    """A bot that a file entered was never checked: that stage is passed only where a report says so."""
    if stage is Stage.CHECKED:
        return system.green_at is not None
    if now is Stage.WITHDRAWN:
        was = {
            Stage.DRAFT: True,
            Stage.ADMITTED: system.draft_since is None,
            Stage.FROZEN: system.frozen_at is not None,
        }
        return was[stage]
    return ORDER.index(stage) < ORDER.index(now)


def _since(stage: Stage, system: OnItsWay) -> datetime | None:
    moments = {Stage.DRAFT: system.registered_at, Stage.CHECKED: system.green_at, Stage.FROZEN: system.frozen_at}
    return moments.get(stage, system.admitted_at or system.registered_at)


def _to_come(stage: Stage, calendar: Calendar) -> str:
    if stage is Stage.CHECKED:
        return _("by a green conformance report")
    if stage is Stage.ADMITTED:
        return _("by an organizer")
    if calendar.frozen_at:
        return _said(calendar.frozen_at, calendar)
    return _("by an organizer")


def _said(moment: datetime, calendar: Calendar) -> str:
    return time_element(ZoneInfo(calendar.time_zone), moment)


def _named(actor: Actor) -> str:
    return {Actor.TEAM: _("the team"), Actor.ORGANIZERS: _("the organizers"), Actor.PLATFORM: _("the platform")}[actor]


def _next(system: OnItsWay, calendar: Calendar, stage: Stage) -> tuple[str, Actor]:
    if stage is Stage.WITHDRAWN:
        return _("It no longer takes part. Only an organizer can take it back."), Actor.ORGANIZERS
    if system.draft_since is not None and system.submitted_at is not None:
        return _("An organizer admits it or sends it back."), Actor.ORGANIZERS
    if stage is Stage.DRAFT:
        return _("Check it until the report is green, then submit it."), Actor.TEAM
    if stage is Stage.CHECKED:
        return _("Submit it: an organizer admits it then."), Actor.TEAM
    if stage is Stage.ADMITTED and calendar.frozen_at:
        return _("Its address may change until the freeze."), Actor.PLATFORM
    if stage is Stage.ADMITTED:
        return _("It takes part. Its address may change until an organizer freezes it."), Actor.ORGANIZERS
    return _("Address, protocol and options stay as they are; the secret may change."), Actor.TEAM
