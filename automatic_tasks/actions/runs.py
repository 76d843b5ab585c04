"""What can be done with runs: hand them in, choose one, score them again."""

import secrets
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from automatic_tasks.actions.files import keep_file
from automatic_tasks.actions.refusals import NotAccepted, not_now, refuse_unless_time
from automatic_tasks.models import (
    AutomaticTask,
    Run,
    RunState,
    Service,
    ServicePlan,
)
from automatic_tasks.models.runs import NOTE_LIMIT
from automatic_tasks.runs.gold_files import BadNoise, gold_of, noise_of
from automatic_tasks.runs.queue import note_changed_board
from automatic_tasks.runs.quotas import allowance_of, check_own_dates, handed_in_for, tasks_together
from automatic_tasks.trail_acts import (
    BASELINES_STARTED,
    RUN_CHOSEN,
    RUN_DOWNLOADED,
    RUN_HANDED_IN,
    RUN_SCORED_AGAIN,
    RUNS_SCORED_AGAIN,
    SERVICES_CALLED,
)
from campaigns.calendar import Doing, NotNow
from participants.models import Team
from reading.checking import BadFile, read_json
from reading.findings import Finding
from scoring.mixing import drawn_order
from scoring.one_run import BadGold
from scoring.task_types.contract import CheckedRun, Gold

# Why a single service is passed over where all are called.
LEAVES_OUT = frozenset({"running", "quota_total", "quota_day", "draft", "withdrawn", "not_green", "secret_lost"})


class CheckedFile(NamedTuple):
    """A file that could be handed in: its part for each task, as it was read."""

    parts: Mapping[AutomaticTask, CheckedRun]

    @property
    def n_items(self) -> int:
        return max(len(part.items) for part in self.parts.values())

    @property
    def warnings(self) -> list[Finding]:
        return _once(warning for part in self.parts.values() for warning in part.warnings)


def check_run_file(*, task: AutomaticTask, content: bytes, at: datetime) -> CheckedFile:
    """What a hand-in would say of the file; nothing is stored, and no quota is used.

    Of tasks that are handed in together, each reads its part. A file with one part alone is for one task alone.

    Errors: `BadFile` naming every problem; `NotAccepted` with code `closed`, `not_now`, `too_large`, `gold` or `service_only` (a
    file could answer what was never asked).
    """
    if task.task_type.is_service:
        raise NotAccepted("service_only")
    if len(content) > settings.UPLOAD_LIMIT_BYTES:
        raise NotAccepted("too_large", limit_mb=settings.UPLOAD_LIMIT_BYTES // 1024 // 1024)
    refuse_if_closed(task, at)
    parts, problems = dict[AutomaticTask, CheckedRun](), list[Finding]()
    for one in parts_in(task, content):
        refuse_if_closed(one, at)
        try:
            parts[one] = one.task_type.read_run(content, usable_gold(one), one.all_options)
        except BadFile as bad:
            problems += bad.problems
    if problems:
        raise BadFile(_once(problems))
    return CheckedFile(parts)


def parts_in(task: AutomaticTask, content: bytes) -> list[AutomaticTask]:
    """Of the tasks that are handed in together, those that the file has a part for; the task itself where it has none.

    Errors: `BadFile`.
    """
    together = tasks_together(task)
    if len(together) == 1:
        return together
    rows = read_json(content)
    fields = set[str]().union(*(row for row in rows if isinstance(row, dict))) if isinstance(rows, list) else set()
    return [one for one in together if one.task_type.part in fields] or [task]


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding one time: what all parts share, each of them finds."""
    return list({(one.place, str(one)): one for one in findings}.values())


def submit_file_run(
    *,
    task: AutomaticTask,
    team: Team,
    person: Person | None,
    content: bytes,
    file_name: str,
    note: str = "",
    at: datetime,
) -> Run:
    """Checks the file at once and puts the run in the queue; of tasks that are handed in together, a run for each part.

    Gives the run of `task`, or the first where the file has no part for it. A file with problems is not kept and uses no quota. Errors: those of `check_run_file`; `NotAccepted` with code
    `quota_total`, `quota_day` or `changed`.
    """
    checked = check_run_file(task=task, content=content, at=at)
    with transaction.atomic():
        # All that share a quota, in one order: two files for them are counted one after the other.
        together = AutomaticTask.objects.filter(pk__in=[one.pk for one in tasks_together(task)])
        locked = {one.pk: one for one in together.select_for_update().order_by("pk")}
        for one in checked.parts:
            refuse_if_changed(locked.get(one.pk), since=one)
            refuse_if_closed(locked[one.pk], at)
        number, submission, file = _next_number(locked[task.pk], team, at), uuid.uuid4(), keep_file(content)
        runs = [
            Run.objects.create(
                task=locked[one.pk],
                team=team,
                number=number,
                submission=submission,
                submitted_by=person,
                note=note[:NOTE_LIMIT],
                file=file,
                file_name=file_name[:200],
                warnings=[warning.to_json() for warning in part.warnings],
                submitted_at=at,
            )
            for one, part in checked.parts.items()
        ]
        run = next((one for one in runs if one.task_id == task.pk), runs[0])
        others = {"with": ", ".join(one.task.key for one in runs if one is not run)} if len(runs) > 1 else {}
        record(RUN_HANDED_IN, by=person, at=at, **_said(run, file=run.file_name, **others))
        return run


def start_service_run(*, service: Service, person: Person | None, note: str = "", at: datetime) -> Run:
    """Puts a run against the team's service in the queue.

    Errors: `NotAccepted` with code `closed`, `not_now`, `quota_total`, `quota_day`, `gold`, `noise`, or `running` while one is under way;
    `draft`, `withdrawn`, `not_green` or `secret_lost` for a service that cannot be called now.
    """
    _prepare(service.task, at)
    with transaction.atomic():
        run = _queue_service_run(service, person, note, at)
        record(RUN_HANDED_IN, by=person, at=at, **_said(run))
        return run


def _prepare(task: AutomaticTask, at: datetime) -> None:
    """Reads and caches gold and noise, so that nothing is parsed while the task's row is locked."""
    refuse_if_closed(task, at)
    usable_gold(task)
    usable_noise(task)


@transaction.atomic
def _queue_service_run(service: Service, person: Person | None, note: str, at: datetime) -> Run:
    task = AutomaticTask.objects.select_for_update().get(pk=service.task_id)
    # Read again under the lock: it may have moved or been sent back since the page was shown.
    service = Service.objects.with_names().get(pk=service.pk)
    refuse_unless_callable(service, at)
    number = _next_number(task, service.team, at)
    unfinished = task.runs.of_team(service.team).filter(state__in=[RunState.QUEUED, RunState.RUNNING])
    if unfinished.exists():
        raise NotAccepted("running")
    run = Run.objects.create(
        task=task,
        team=service.team,
        number=number,
        submitted_by=person,
        note=note[:NOTE_LIMIT],
        url=service.url,
        seed=secrets.randbits(48),
        submitted_at=at,
    )
    _plan_service_run(run, task)
    return run


def _plan_service_run(run: Run, task: AutomaticTask) -> ServicePlan:
    items = list(usable_gold(task).items)
    return ServicePlan.objects.create(
        run=run,
        gold_id=task.gold_id,
        noise_id=task.noise_id,
        order=drawn_order(items, len(usable_noise(task)), task.noise_ratio, run.seed),
        batch_size=task.batch_size,
        deadline_s=task.deadline_s,
    )


def start_all_service_runs(
    *, task: AutomaticTask, person: Person | None, at: datetime
) -> tuple[list[Run], dict[Team, NotAccepted]]:
    """A run of every service that is not withdrawn, at the same time; beside that, who could not take part, and why (`LEAVES_OUT`).

    Errors: `NotAccepted` for what concerns the task and so every team.
    """
    services = list(task.services.filter(withdrawn_at=None).select_related("team", "task").order_by("team__name"))
    if services:
        _prepare(task, at)
    started, left_out = list[Run](), dict[Team, NotAccepted]()
    with transaction.atomic():
        for service in services:
            try:
                started.append(_queue_service_run(service, person, "", at))
            except NotAccepted as refused:
                if refused.code not in LEAVES_OUT:
                    raise
                left_out[service.team] = refused
        if started:
            Service.objects.filter(task=task, team__in=[run.team_id for run in started]).update(called_at=at)
            details = {"teams": [run.team.name for run in started if run.team]}
            record(SERVICES_CALLED, by=person, at=at, campaign=task.campaign.slug, about=task.key, details=details)
    return started, left_out


def refuse_unless_callable(service: Service, at: datetime) -> None:
    """No run calls a draft, one that was withdrawn, one without the green report that the campaign demands, or without its secret."""
    if service.withdrawn_at is not None:
        raise NotAccepted("withdrawn")
    if service.draft_since is not None:
        raise NotAccepted("draft")
    if not service.has_fresh_report(at):
        raise NotAccepted("not_green")
    if service.has_lost_its_secret():
        raise NotAccepted("secret_lost")


def usable_gold(task: AutomaticTask) -> Gold:
    """The gold that a run is to be checked against. Errors: `NotAccepted` with code `gold`: the platform's fault."""
    try:
        return gold_of(task)
    except BadGold as bad:
        raise NotAccepted("gold") from bad


def usable_noise(task: AutomaticTask) -> list[str]:
    """The sentences that are mixed in. Errors: `NotAccepted` with code `noise`: the platform's fault."""
    try:
        return noise_of(task.noise_id)
    except BadNoise as bad:
        raise NotAccepted("noise") from bad


def refuse_if_closed(task: AutomaticTask, at: datetime) -> None:
    """The task's own switch, its own dates and the campaign's hold all."""
    if not task.is_open:
        raise NotAccepted("closed")
    refuse_unless_time(task, Doing.RUN, at)
    try:
        check_own_dates(task, at)
    except NotNow as closed:
        raise not_now(closed) from closed


def refuse_if_changed(locked: AutomaticTask | None, *, since: AutomaticTask) -> None:
    """What was worked out by the task as it was `since` may not fit it any more; None: it is no longer handed in with the other one."""
    if locked is None or locked.score_version != since.score_version:
        raise NotAccepted("changed")


def _next_number(locked: AutomaticTask, team: Team, at: datetime) -> int:
    """The number of the team's next run; inside the transaction that holds the lock on the task's row.

    The lock makes the count and the insert that follows one step, so that of any number of runs handed in at once exactly
    as many go through as the quota leaves.
    """
    refuse_if_closed(locked, at)
    allowed = allowance_of(locked, team, at)
    if allowed.left <= 0:
        raise NotAccepted("quota_total", limit=allowed.total)
    if allowed.today <= 0:
        raise NotAccepted("quota_day", limit=allowed.per_day)
    together = Run.objects.of_team(team).filter(handed_in_for([locked.handed_in_with or locked]))
    highest = together.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1


def score_baselines(*, task: AutomaticTask, person: Person | None, at: datetime) -> list[Run]:
    """Puts the baselines of the task type in the queue that have no run yet; they belong to no team and no quota.

    Errors: `NotAccepted` with code `gold`, `changed` or `not_now`.
    """
    refuse_unless_time(task, Doing.ORGANIZE, at)
    gold = usable_gold(task)
    # Made here, so that nothing is parsed or worked out while the task's row is locked.
    contents = {name: make(gold) for name, make in task.task_type.baselines.items()}
    with transaction.atomic():
        locked = AutomaticTask.objects.select_for_update().get(pk=task.pk)
        refuse_if_changed(locked, since=task)
        known = set(locked.runs.filter(team=None).exclude(state=RunState.FAILED).values_list("baseline", flat=True))
        queued = [
            Run.objects.create(
                task=locked,
                number=place,
                baseline=name,
                submitted_by=person,
                file=keep_file(content),
                file_name=f"{name}.json",
                submitted_at=at,
            )
            for place, (name, content) in enumerate(contents.items(), start=1)
            if name not in known
        ]
        if queued:
            details = {"baselines": [run.baseline for run in queued]}
            record(BASELINES_STARTED, by=person, at=at, campaign=task.campaign.slug, about=task.key, details=details)
        return queued


@transaction.atomic
def choose_run(*, run: Run, by: Person | None = None) -> Run:
    """Makes the run the one that represents its team.

    Errors: `NotAccepted` once the hidden scores are released, and when runs are over.
    """
    task = AutomaticTask.objects.select_for_update().get(pk=run.task_id)
    refuse_unless_time(task, Doing.RUN, timezone.now())
    if task.released_at is not None:
        raise NotAccepted("released")
    # Read again under the lock: the run may have failed since the page was shown.
    locked = task.runs.select_related("team").select_for_update(of=("self",)).get(pk=run.pk)
    if locked.team is None or locked.state == RunState.FAILED:
        raise NotAccepted("failed")
    task.runs.of_team(locked.team).update(is_chosen=False)
    locked.is_chosen = True
    locked.save(update_fields=["is_chosen"])
    note_changed_board(task=task)
    record(RUN_CHOSEN, by=by, **_said(locked))
    return locked


@transaction.atomic
def score_again(*, run: Run, by: Person | None = None) -> Run:
    """Puts a run that is over in the queue once more: one that failed, or one that is to be scored again.

    A score stays until the new one is stored. Batches that failed are asked again only where nothing was scored yet.
    Errors: `NotAccepted` with code `not_over`.
    """
    locked = _queue_again(run)
    record(RUN_SCORED_AGAIN, by=by, **_said(locked))
    return locked


@transaction.atomic
def _queue_again(run: Run) -> Run:
    locked = Run.objects.select_for_update(of=("self",)).select_related("task__campaign").get(pk=run.pk)
    refuse_unless_time(locked.task, Doing.ORGANIZE, timezone.now())
    if not locked.is_over:
        raise NotAccepted("not_over")
    if locked.state == RunState.FAILED:
        locked.batches.exclude(failure="").delete()
    Run.objects.filter(pk=run.pk).update(
        state=RunState.QUEUED, n_attempts=0, reasons=[], fault=Run.Fault.NOBODY, started_at=None, finished_at=None
    )
    locked.refresh_from_db()
    return locked


@transaction.atomic
def score_all_again(*, runs: Iterable[Run], by: Person | None = None) -> list[Run]:
    """Puts those of the runs of a task in the queue once more that are over."""
    queued = []
    for run in runs:
        try:
            queued.append(_queue_again(run))
        except NotAccepted:
            continue
    if queued:
        task = queued[0].task
        record(RUNS_SCORED_AGAIN, by=by, campaign=task.campaign.slug, about=task.key, details={"n": len(queued)})
    return queued


@transaction.atomic
def note_download(*, run: Run, by: Person, at: datetime) -> None:
    """Notes in the trail that somebody takes the file of another team's run."""
    record(RUN_DOWNLOADED, by=by, at=at, **_said(run))


def _said(run: Run, **details: str) -> dict[str, Any]:
    """How the trail names a run."""
    said = {"task": run.task.key, "run": str(run.pk), **details}
    return {"campaign": run.task.campaign.slug, "about": run.name, "details": said}
