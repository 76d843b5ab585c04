"""Creates or updates the automatic tasks of a campaign from their file."""

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.boards import keep_preset_boards, leave_boards_alone, load_boards
from automatic_tasks.actions.writing import TaskWriting
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import TaskFile
from automatic_tasks.trail_acts import TASKS_LOADED
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.actions.load_report import LoadReport
from campaigns.actions.loading_scenarios import merged_order
from campaigns.models import Campaign
from campaigns.origins import Origin
from reading.checking import BadFile
from reading.findings import Finding


class LoadedTasks(NamedTuple):
    """One sentence per change (none: nothing new), one per task, quota or board that the file does not touch, and one per warning."""

    campaign: Campaign
    changes: list[str]
    left_alone: list[str]
    warnings: list[str]


def load_tasks(
    *,
    file: TaskFile,
    content_of: Callable[[str], bytes],
    by: Person | None = None,
    prunes: bool = False,
    takes_over: bool = False,
) -> LoadedTasks:
    """Creates or updates tasks and combined boards. It removes no task, and only where it `prunes` a board that is not
    among those of the file; a file that says nothing of boards leaves them.

    `content_of` reads a path of the file (errors: `OSError`). What scores depend on is fixed by the first run. What was made
    in the browser changes only where the file `takes_over`, and is a problem where the file says something else of it.
    Errors: `BadFile` naming every problem; then nothing is changed.
    """
    campaign = Campaign.objects.filter(slug=file.campaign).first()
    if campaign is None:
        text = gettext_noop("there is no campaign “%(slug)s”; load its own file first")
        raise BadFile([Finding("file campaign", text, {"slug": file.campaign})])
    report = LoadReport(prunes=prunes, takes_over=takes_over)
    writing = TaskWriting(campaign, content_of, Origin.FILE, report)
    # Those that others are handed in with come first, wherever they stand in the file.
    specs = sorted(enumerate(file.tasks, start=1), key=lambda one: bool(one[1].handed_in_with))
    contents = {number: writing.contents_of(spec, f"[[tasks]] {number}") for number, spec in specs}
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        refuse_file_if_ended(campaign)
        for number, spec in specs:
            if checked := contents[number]:
                writing.write(spec, checked, f"[[tasks]] {number}")
        _put_in_order(campaign, file, report)
        _leave_alone(campaign, file, report)
        if file.boards is None:
            leave_boards_alone(campaign.combined_boards.filter(is_of_preset=False), report)
        else:
            load_boards(campaign, file.boards, [spec.key for spec in file.tasks], report)
        report.refuse()
        keep_preset_boards(campaign, report)
        if report.changes:
            record(TASKS_LOADED, by=by, campaign=campaign.slug, details={"changes": report.changes})
    left_alone, warnings = ([one.in_english for one in found] for found in (report.left_alone, report.warnings))
    return LoadedTasks(campaign, report.changes, left_alone, warnings)


def _put_in_order(campaign: Campaign, file: TaskFile, report: LoadReport) -> None:
    """The file's tasks come in its order, on the places that they have together."""
    stored = {task.key: task for task in campaign.automatic_tasks.all()}
    order = merged_order(list(stored), [spec.key for spec in file.tasks])
    if order != list(stored):
        report.add_change(gettext_noop("order of the tasks changed"))
    for position, key in enumerate(order, start=1):
        AutomaticTask.objects.filter(pk=stored[key].pk).exclude(position=position).update(position=position)


def _leave_alone(campaign: Campaign, file: TaskFile, report: LoadReport) -> None:
    named = {spec.key: {quota.team for quota in spec.quotas} for spec in file.tasks}
    for task in campaign.automatic_tasks.prefetch_related("team_quotas__team"):
        if task.key not in named:
            text = gettext_noop("left alone: task %(key)s, no longer in the file")
            if task.origin == Origin.PAGE:
                text = gettext_noop("left alone: task %(key)s, made in the browser")
            report.leave_alone(text, key=task.key)
            continue
        for quota in task.team_quotas.all():
            if quota.team.name not in named[task.key]:
                text = gettext_noop("left alone: the quota of %(team)s for task %(key)s")
                report.leave_alone(text, team=quota.team.name, key=task.key)
