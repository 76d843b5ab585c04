"""The acts that lead a bot or service from stage to stage: whether one may be done, and the columns that it sets. Pure."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from campaigns.calendar import Calendar
from campaigns.reasons import reason_of
from campaigns.stages import OnItsWay, Stage, has_fresh_report, stage_of
from serving.refused import Refused

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
