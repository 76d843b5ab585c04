"""The way of a bot or service into a campaign: draft, checked, admitted, frozen, withdrawn; its steps and its words. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaigns.calendar import Calendar, is_after
from campaigns.reasons import reason_of
from look.moments import time_element
from serving.refused import Refused


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
    """`since` is None where it is not recorded: of a bot that a file entered."""

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
    """Whether its latest report is green and at most `hours` old; 0 demands none."""
    return not hours or (bot.green_at is not None and bot.green_at >= at - timedelta(hours=hours))


Columns = dict[str, Any]


class NotThatStage(Refused):
    """The bot or service is not at a stage from which that leads on; nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return {
            "not_a_draft": _("This system is admitted already."),
            "a_draft": _("This system has not been admitted yet."),
            "withdrawn": _("This system was withdrawn: only an organizer can take it back."),
            "not_withdrawn": _("This system was not withdrawn."),
            "submitted": _("This system waits for an organizer already."),
            "frozen": _("This system is frozen already."),
            "not_green": _("This campaign asks for a green conformance report: check the system first."),
            "not_changed": _("This system answers as it did at its admission."),
        }[self.code]


def submitted(system: OnItsWay, at: datetime) -> Columns:
    """Its team asks an organizer to admit the draft. Errors: `NotThatStage`."""
    _check_draft(system)
    if system.submitted_at is not None:
        raise NotThatStage("submitted")
    return {"submitted_at": at}


def admitted(system: OnItsWay, report_hours: int, by: Any, at: datetime) -> Columns:
    """Errors: `NotThatStage`, also where the campaign demands a report that is not there."""
    _check_draft(system)
    if not has_fresh_report(system, report_hours, at):
        raise NotThatStage("not_green")
    return {"draft_since": None, "submitted_at": None, "returned_because": "", "admitted_at": at, "admitted_by": by}


def sent_back(system: OnItsWay, because: str, at: datetime) -> Columns:
    """It is a draft again, which its team may change. Errors: `NotThatStage`, `ReasonNeeded`."""
    because = reason_of(because)
    if system.withdrawn_at is not None:
        raise NotThatStage("withdrawn")
    return drafted(at) | {"returned_because": because}


def drafted(since: datetime) -> Columns:
    return {"draft_since": since, "submitted_at": None, "admitted_at": None, "admitted_by": None, "frozen_at": None}


def frozen(system: OnItsWay, calendar: Calendar, at: datetime) -> Columns:
    """URL, protocol and options stay as they are from now on. Errors: `NotThatStage`."""
    stage = stage_of(system, calendar, at).stage
    if stage is not Stage.ADMITTED:
        codes = {Stage.WITHDRAWN: "withdrawn", Stage.FROZEN: "frozen"}
        raise NotThatStage(codes.get(stage, "a_draft"))
    return {"frozen_at": at}


def _check_draft(system: OnItsWay) -> None:
    if system.withdrawn_at is not None:
        raise NotThatStage("withdrawn")
    if system.draft_since is None:
        raise NotThatStage("not_a_draft")


ORDER = (Stage.DRAFT, Stage.CHECKED, Stage.ADMITTED, Stage.FROZEN)


class Actor(StrEnum):
    """Who acts next: the team, the organizers, or nobody, as nothing leads on from here but what may be done."""

    TEAM = "team"
    ORGANIZERS = "organizers"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Step:
    """One stage; `note` is since when it holds, what brought it there, or what leads there."""

    key: str
    word: str
    note: str
    is_reached: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class Way:
    """`next` says what comes, and `actor` who acts; `who` is that in words, empty for nobody."""

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
    who = {Actor.TEAM: _("the team"), Actor.ORGANIZERS: _("the organizers"), Actor.NOBODY: ""}[actor]
    stages = (*ORDER, Stage.WITHDRAWN) if reached.stage is Stage.WITHDRAWN else ORDER
    steps = tuple(_step(stage, system, calendar, reached) for stage in stages)
    return Way(str(reached.stage), reached.since, because, following, actor, who, steps)


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
    if is_reached:
        moment = now.since if is_now else _since(stage, system)
        note = _moment(moment, calendar) if moment else _("with the campaign's file")
    else:
        note = "" if now.stage is Stage.WITHDRAWN else _to_come(stage, calendar)
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
        return _moment(calendar.frozen_at, calendar)
    return _("by an organizer")


def _moment(moment: datetime, calendar: Calendar) -> str:
    return time_element(ZoneInfo(calendar.time_zone), moment)


def _next(system: OnItsWay, calendar: Calendar, stage: Stage) -> tuple[str, Actor]:
    if stage is Stage.WITHDRAWN:
        return _("It no longer takes part. Only an organizer can take it back."), Actor.NOBODY
    if system.draft_since is not None and system.submitted_at is not None:
        return _("An organizer admits it or sends it back."), Actor.ORGANIZERS
    if stage is Stage.DRAFT:
        return _("Check it until the report is green, then submit it."), Actor.TEAM
    if stage is Stage.CHECKED:
        return _("Submit it: an organizer admits it then."), Actor.TEAM
    if stage is Stage.ADMITTED and calendar.frozen_at:
        return _("It takes part. Its address may change until the freeze."), Actor.NOBODY
    if stage is Stage.ADMITTED:
        return _("It takes part. Its address may change until an organizer freezes it."), Actor.NOBODY
    return _("It takes part. Address, protocol and options stay as they are; the secret may change."), Actor.NOBODY
