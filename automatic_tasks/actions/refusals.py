"""Why the platform does not do what was asked of it."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from automatic_tasks.models import AutomaticTask
from campaigns.calendar import Doing, NotNow, check_open, moment_in_zone
from serving.refused import Refused

SENTENCES = {
    "no_file": gettext_noop("Choose the file of your run first."),
    "closed": gettext_noop("This task is not accepting runs."),
    "too_large": gettext_noop("The file is larger than %(limit_mb)s MB."),
    "quota_total": gettext_noop("All %(limit)s runs of the team for this task are used up."),
    "quota_day": gettext_noop("All %(limit)s runs of the team for today are used up. Tomorrow there are new ones."),
    "service_only": gettext_noop("This task calls your service; it accepts no files."),
    "gold": gettext_noop(
        "The platform cannot read the gold of this task. No run was used up; the organizer has to correct it."
    ),
    "noise": gettext_noop(
        "The platform cannot read the noise of this task. No run was used up; the organizer has to correct it."
    ),
    "changed": gettext_noop("The task was changed while the file was checked. No run was used up; hand it in again."),
    "running": gettext_noop("A run against this service is under way already."),
    "draft": gettext_noop("No organizer has admitted this service yet: check it, then submit it."),
    "withdrawn": gettext_noop("This service was withdrawn: only an organizer can take it back."),
    "not_green": gettext_noop("This campaign asks for a green conformance report: check the service first."),
    "secret_lost": gettext_noop("The platform can no longer read its secret. Type the secret again."),
    "released": gettext_noop("The hidden scores are released; the choice cannot be changed any more."),
    "failed": gettext_noop("A run that failed cannot represent the team."),
    "not_over": gettext_noop("Only a run that was scored or failed can be scored again."),
}


class NotAccepted(Refused):
    """The platform does not take this run now; the sentence of its code says why and what to do."""

    def __init__(self, code: str, **values: Any) -> None:
        # A date of the campaign has its sentence in the values: an outcome is stored and shown again.
        super().__init__(values.get("text") or SENTENCES[code])
        self.code, self.values = code, values


def refuse_unless_time(task: AutomaticTask, doing: Doing, at: datetime) -> None:
    """Whether the dates of the task's campaign allow it. Errors: `NotAccepted` with code `not_now`."""
    try:
        check_open(task.campaign, doing, at)
    except NotNow as closed:
        raise not_now(closed) from closed


def not_now(closed: NotNow) -> NotAccepted:
    when = moment_in_zone(closed.moment, closed.zone)
    return NotAccepted(closed.code, text=closed.text, when=when)
