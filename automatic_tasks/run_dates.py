"""Until when runs are accepted, by the task's own dates and the campaign's."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, gettext_noop

from automatic_tasks.models import AutomaticTask
from campaigns.calendar import Doing, NotNow, check_open, is_after, window_of
from campaigns.models import Campaign
from look.moments import time_element

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

    In the order in which a hand-in is refused: the task's switch, the campaign's dates, the task's own.
    """
    if not task.is_open:
        return gettext("This task is not accepting runs.")
    try:
        check_open(task.campaign, Doing.RUN, at)
        check_own_dates(task, at)
    except NotNow as closed:
        return closed.message
    return ""


def runs_close_at(campaign: Campaign, task: AutomaticTask | None = None) -> datetime | None:
    """The last second for runs, by the campaign's dates; with a task, its own date counts too."""
    closes = [window_of(campaign, Doing.RUN).closes, campaign.ends_at, task.runs_until if task else None]
    return min((moment for moment in closes if moment is not None), default=None)


def last_moment_of_runs(campaign: Campaign, task: AutomaticTask | None = None) -> str:
    """The same as an element on the clocks of the campaign; empty where no date closes runs."""
    moment = runs_close_at(campaign, task)
    return time_element(ZoneInfo(campaign.time_zone), moment) if moment else ""


def runs_open_at(task: AutomaticTask) -> datetime | None:
    """The first moment for runs: the later of the campaign's date and the task's own."""
    opens = [window_of(task.campaign, Doing.RUN).opens, task.runs_from]
    return max((moment for moment in opens if moment is not None), default=None)
