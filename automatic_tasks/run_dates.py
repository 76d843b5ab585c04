"""Until when runs are accepted, by the task's own dates and the campaign's."""

from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from automatic_tasks.models import AutomaticTask
from campaigns.calendar import Doing, NotNow, is_after, moment_in_zone, window_of
from campaigns.models import Campaign

NOT_YET = gettext_noop("Runs of this task are accepted from %(when)s.")
OVER = gettext_noop("Runs of this task were accepted until %(when)s.")


def check_own_dates(task: AutomaticTask, at: datetime) -> None:
    """Errors: `NotNow` before the task's first moment and after its last second."""
    zone = task.campaign.time_zone
    if task.runs_from is not None and at < task.runs_from:
        raise NotNow(Doing.RUN, NOT_YET, task.runs_from, zone)
    if task.runs_until is not None and is_after(at, task.runs_until):
        raise NotNow(Doing.RUN, OVER, task.runs_until, zone)


def why_no_runs(task: AutomaticTask, at: datetime) -> str:
    """Why the task takes no runs at that moment, in the reader's language; empty where it does.

    The campaign's dates are left to the hand-in, which says them: its page shows what would be asked.
    """
    if not task.is_open:
        return gettext("This task takes no runs now.")
    try:
        check_own_dates(task, at)
    except NotNow as closed:
        return closed.message
    return ""


def last_moment_of_runs(campaign: Campaign, task: AutomaticTask | None = None) -> str:
    """On the clocks of the campaign; empty where no date closes them. With a task, its own date counts too."""
    closes = [window_of(campaign, Doing.RUN).closes, campaign.ends_at, task.runs_until if task else None]
    said = [moment for moment in closes if moment is not None]
    return moment_in_zone(min(said), campaign.time_zone) if said else ""
