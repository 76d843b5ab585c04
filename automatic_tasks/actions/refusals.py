"""Why the platform does not do what was asked of it."""

from datetime import datetime
from typing import Any

from automatic_tasks.models import AutomaticTask
from campaigns.calendar import Doing, NotNow, check_open, moment_in_zone


class NotAccepted(Exception):
    """The platform does not take this run now; the message says why and what to do."""

    def __init__(self, code: str, message: str, **values: Any) -> None:
        super().__init__(message)
        self.code = code
        self.values = values


def refuse_unless_time(task: AutomaticTask, doing: Doing, at: datetime) -> None:
    """Whether the dates of the task's campaign allow it. Errors: `NotAccepted` with code `not_now`."""
    try:
        check_open(task.campaign, doing, at)
    except NotNow as closed:
        raise not_now(closed) from closed


def not_now(closed: NotNow) -> NotAccepted:
    when = moment_in_zone(closed.moment, closed.zone)
    return NotAccepted(closed.code, closed.in_english, text=closed.text, when=when)
