"""When a task accepts runs, how many a team may hand in, and how many it has left."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from automatic_tasks.models import AutomaticTask, Run, Service, TeamQuota
from campaigns.calendar import Doing, NotNow, check_open, is_after, window_of
from campaigns.models import Campaign
from look.moments import time_element
from participants.models import Team

NO_TEAM = gettext_noop("is not a team of this campaign")


@dataclass(frozen=True, slots=True)
class Allowance:
    """A team's runs for a task: altogether, per day, and what of them is left (`today` is of the day)."""

    total: int
    per_day: int
    left: int
    today: int


def allowance_of(task: AutomaticTask, team: Team, at: datetime) -> Allowance:
    return allowances_of([task], team, at)[task.pk]


def allowances_of(tasks: Collection[AutomaticTask], team: Team, at: datetime) -> dict[int, Allowance]:
    """By the ids of the tasks, in two queries. A day is one of the platform's time zone.

    Tasks that are handed in together have one quota, that of their first, and one file uses one run of it.
    """
    midnight = timezone.localtime(at, timezone.get_default_timezone()).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    known = {task.pk: task for task in tasks}
    first = {task.pk: known.get(task.handed_in_with_id or task.pk) or task.handed_in_with or task for task in tasks}
    used = Run.objects.of_team(team).using_quota().filter(handed_in_for(first.values())).order_by()
    counted = used.values(first=Coalesce("task__handed_in_with", "task")).annotate(
        n=Count("submission", distinct=True),
        today=Count("submission", distinct=True, filter=Q(submitted_at__gte=midnight)),
    )
    counts = {row["first"]: (row["n"], row["today"]) for row in counted}
    own = {quota.task_id: quota for quota in TeamQuota.objects.filter(task__in=first.values(), team=team)}
    return {pk: _allowance(one, own.get(one.pk), *counts.get(one.pk, (0, 0))) for pk, one in first.items()}


def handed_in_for(first: Iterable[AutomaticTask]) -> Q:
    """The runs of these tasks and of those that are handed in with them."""
    first = list(first)
    return Q(task__in=first) | Q(task__handed_in_with__in=first)


def tasks_together(task: AutomaticTask) -> list[AutomaticTask]:
    """The task and those that one file is handed in for with it, the first of them in front; `task` as it was read."""
    first = task.handed_in_with_id or task.pk
    together = AutomaticTask.objects.filter(Q(pk=first) | Q(handed_in_with=first)).select_related("campaign")
    in_order = sorted(together, key=lambda one: (one.pk != first, one.position))
    return [task if one.pk == task.pk else one for one in in_order]


def _allowance(task: AutomaticTask, own: TeamQuota | None, n_used: int, n_today: int) -> Allowance:
    total = task.quota_total if own is None or own.total is None else own.total
    per_day = task.quota_per_day if own is None or own.per_day is None else own.per_day
    left = max(0, total - n_used)
    return Allowance(total, per_day, left, min(left, max(0, per_day - n_today)))


def teams_of(campaign: Campaign) -> QuerySet[Team]:
    """The teams that somebody takes part for in the campaign, that have entered a bot, or whose service a task calls."""
    members, owners = campaign.team_members.values("team"), campaign.entries.values("bot__team")
    called = Service.objects.filter(task__campaign=campaign).values("team")
    return Team.objects.filter(Q(pk__in=members) | Q(pk__in=owners) | Q(pk__in=called)).order_by("name")


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
