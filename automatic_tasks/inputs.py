"""The inputs of a task: data packages that its teams may download from the first moment for runs on, and that never hold its gold."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Prefetch, QuerySet

from automatic_tasks.models import AutomaticTask
from automatic_tasks.runs.quotas import NOT_YET, runs_open_at
from campaigns.calendar import Doing, NotNow
from campaigns.models import Campaign
from participants.models import Team
from registration.models import DataPackage
from registration.refusals import NotPossible


def inputs_of(task: AutomaticTask) -> QuerySet[DataPackage]:
    return _inputs(task.inputs.all())


def prefetched_inputs() -> "Prefetch[str, QuerySet[DataPackage], str]":
    """The same of many tasks at once."""
    return Prefetch("inputs", _inputs(DataPackage.objects.all()))


def _inputs(packages: QuerySet[DataPackage]) -> QuerySet[DataPackage]:
    return told_to_teams(packages.filter(removed_at=None)).prefetch_related("tasks__campaign")


def packages_of(campaign: Campaign) -> QuerySet[DataPackage]:
    """All packages that are there, with the tasks whose inputs they are."""
    return campaign.packages.filter(removed_at=None).prefetch_related("tasks__campaign")


def told_to_teams(packages: QuerySet[DataPackage]) -> QuerySet[DataPackage]:
    """Without those of a task that its organizers have not opened (`waits_for`): they have no date that could be told."""
    return packages.exclude(tasks__in=AutomaticTask.objects.filter(is_open=False, runs=None))


def with_dates(packages: Iterable[DataPackage], at: datetime) -> list[tuple[DataPackage, datetime | None]]:
    """Each with the moment from which on teams may download it, where that is still to come."""
    opens = [(package, opens_at(package)) for package in packages]
    return [(package, moment if moment and at < moment else None) for package, moment in opens]


def opens_at(package: DataPackage) -> datetime | None:
    """From when on teams may download it: the first moment for runs of its task, as the calendar has it now; None: at once."""
    opens = [runs_open_at(task) for task in package.tasks.all()]
    return max((moment for moment in opens if moment is not None), default=None)


def waits_for(package: DataPackage) -> list[str]:
    """The keys of its tasks that organizers have not opened yet: closed, and nobody handed in a run."""
    return [task.key for task in package.tasks.all() if not task.is_open and not task.runs.exists()]


def check_may_download(package: DataPackage, team: Team | None, at: datetime) -> None:
    """Organizers may at any time. Errors: `NotNow`; `NotPossible` (`not_open`)."""
    if team is None:
        return
    if waiting := waits_for(package):
        raise NotPossible("not_open", task=waiting[0])
    if (opens := opens_at(package)) is not None and at < opens:
        raise NotNow(Doing.RUN, NOT_YET, opens, package.campaign.time_zone)


def link_to(task: AutomaticTask, package: DataPackage) -> None:
    """Makes the package inputs of the task; call it before anybody can download it. Errors: `NotPossible` (`is_gold`)."""
    with transaction.atomic():
        task = AutomaticTask.objects.select_for_update(of=("self",)).select_related("gold").get(pk=task.pk)
        if package.sha256 == task.gold.sha256:
            raise NotPossible("is_gold", task=task.key)
        task.inputs.add(package)
