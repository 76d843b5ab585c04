"""Pages of automatic tasks for teams: the list, a task with its runs, handing in, one run."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from automatic_tasks.access import (
    is_organizer,
    run_for,
    run_of_own_team,
    task_of,
    visible_boards,
    visible_scores,
)
from automatic_tasks.actions import (
    NotAccepted,
    check_run_file,
    choose_run,
    register_service,
    start_service_run,
    submit_file_run,
)
from automatic_tasks.combined.access import key_of_run_board, published_run_boards
from automatic_tasks.combined.boards import Reader, visible_combined_boards
from automatic_tasks.hand_in_outcomes import PROBLEMS_SHOWN, Outcome, bad_file, bad_form, last_of, refusal, store
from automatic_tasks.inputs import inputs_of, with_dates
from automatic_tasks.models import AutomaticTask, Run, RunState, Service, Split
from automatic_tasks.models.runs import NOTE_LIMIT
from automatic_tasks.runs.failures import reasons_of
from automatic_tasks.runs.files import as_download, example_file, file_for
from automatic_tasks.runs.gold_files import BadNoise
from automatic_tasks.runs.queue import QueueSeen, has_worker
from automatic_tasks.runs.quotas import allowance_of, allowances_of, last_moment_of_runs, tasks_together, why_no_runs
from automatic_tasks.service_runs import GoldChanged
from automatic_tasks.services.form import read_service, said_in
from automatic_tasks.services.rows import ServiceRow, rows_of
from campaigns.access import for_roles, roles_of, team_of
from campaigns.models import Campaign, Role
from participants.models import Team
from reading.checking import BadFile, BadForm
from reading.findings import in_words
from registration.agreements import has_agreed
from scoring.one_run import BadGold
from serving.refused import Refused

QUOTA_TICKS = 20
WARNINGS_SHOWN = 5


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def task_list(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    roles = roles_of(request.user, campaign)
    as_organizer = Role.ORGANIZER in roles
    team = team_of(person_of(request), campaign)
    tasks = list(campaign.automatic_tasks.all())
    runs = Run.objects.all() if as_organizer else Run.objects.of_team(team)
    n_runs = (
        runs.filter(task__in=tasks)
        .order_by()
        .values("task")
        .annotate(n=Count("pk"), n_open=Count("pk", filter=Q(state__in=[RunState.QUEUED, RunState.RUNNING])))
    )
    counts = {row["task"]: row for row in n_runs}
    frozen = published_run_boards(campaign, timezone.now())
    allowed = allowances_of(tasks, team, timezone.now()) if team and not as_organizer else {}
    rows = [
        {
            "task": task,
            "n_runs": counts[task.pk]["n"] if task.pk in counts else 0,
            "n_open": counts[task.pk]["n_open"] if task.pk in counts else 0,
            "allowed": allowed.get(task.pk),
            "boards": _boards_of(task, roles, frozen),
        }
        for task in tasks
    ]
    return render(
        request,
        "automatic_tasks/list.html",
        {
            "campaign": campaign,
            "rows": rows,
            "combined": visible_combined_boards(campaign, Reader(roles, timezone.now())),
            "as_organizer": as_organizer,
            "team": team,
        },
    )


def _boards_of(task: AutomaticTask, roles: frozenset[str], frozen: Collection[str]) -> list[Split]:
    """The splits whose boards they may read: as they are now, or as they were published."""
    now = visible_boards(task, roles)
    return [split for split in task.splits if split in now or key_of_run_board(task, split) in frozen]


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def task_page(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    task = task_of(campaign, key)
    return _task_page(request, task, last_of(request, task) if "last" in request.GET else Outcome())


def _not_taken(request: HttpRequest, task: AutomaticTask, outcome: Outcome, status: int) -> HttpResponse:
    """The task's page with what was wrong. It answers a form, so it names the address where it can be seen again."""
    store(request, task, outcome)
    return _task_page(request, task, outcome, status=status)


def named(tasks: Iterable[AutomaticTask]) -> str:
    return " + ".join(one.name for one in tasks)


def _task_page(request: HttpRequest, task: AutomaticTask, outcome: Outcome, status: int = 200) -> HttpResponse:
    """The team's page: what to hand in, what became of it, and what is left of the quota."""
    team = team_of(person_of(request), task.campaign)
    runs = list(task.runs.of_team(team).with_names().with_scores()[:200])
    queue = QueueSeen(timezone.now())
    for run in runs:
        run.shown = visible_scores(run, as_organizer=False)  # type: ignore[attr-defined]
        run.wait = queue.wait_of(run)  # type: ignore[attr-defined]
    allowed = allowance_of(task, team, timezone.now()) if team else None
    roles, row = roles_of(request.user, task.campaign), _service_row(task, team)
    return render(
        request,
        "automatic_tasks/task.html",
        {
            "campaign": task.campaign,
            "task": task,
            "team": team,
            "inputs": with_dates(inputs_of(task), timezone.now()),
            "may_download": team is None or has_agreed(task.campaign, team),
            "runs": runs,
            "figures": task.task_type.figures[:4],
            "allowed": allowed,
            "together": named(together) if len(together := tasks_together(task)) > 1 else "",
            "used_today": allowed.per_day - allowed.today if allowed else 0,
            "quota_ticks": min(allowed.per_day, QUOTA_TICKS) if allowed else 0,
            "row": row,
            "may_run": row.takes_part if row else not task.campaign.organizers_admit,
            "outcome": outcome,
            "here": reverse("task", args=[task.campaign.slug, task.key]) + ("?last" if outcome != Outcome() else ""),
            "as_organizer": Role.ORGANIZER in roles,
            "only_organizes": Role.ORGANIZER in roles and Role.PARTICIPANT not in roles,
            "boards": visible_boards(task, roles),
            "closed": why_no_runs(task, timezone.now()),
            "until": last_moment_of_runs(task.campaign, task),
            "note_limit": NOTE_LIMIT,
            "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
            "limit_mb": settings.UPLOAD_LIMIT_BYTES // 1024 // 1024,
        },
        status=status,
    )


def _service_row(task: AutomaticTask, team: Team | None) -> ServiceRow | None:
    """The team's service for the task with how it stands."""
    own = Service.objects.filter(task=task, team=team).with_names() if team else Service.objects.none()
    return next(iter(rows_of(own, task.campaign, timezone.now())), None)


def _typed(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST[name] for name in ("note", "url") if name in request.POST}


def _team_of_form(request: HttpRequest, campaign: Campaign) -> Team | None:
    """The sender's team. Errors: `Http404` for a form that was made for another: its page may be older than a move."""
    team = team_of(person_of(request), campaign)
    wanted = request.POST.get("team")
    if wanted is not None and (team is None or str(team.pk) != wanted):
        raise Http404
    return team


@for_roles(Role.PARTICIPANT)
@form_on("task")
def submit(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    task = task_of(campaign, key)
    team = _team_of_form(request, campaign)
    file = request.FILES.get("file")
    if team is None or file is None:
        return _not_taken(request, task, Outcome(code="no_file", typed=_typed(request)), 400)
    try:
        if request.POST.get("then") == "check":
            return _checked(request, task, file.read())
        run = submit_file_run(
            task=task,
            team=team,
            person=person_of(request),
            content=file.read(),
            file_name=file.name or "",
            note=request.POST.get("note", ""),
            at=timezone.now(),
        )
    except BadFile as bad:
        return _not_taken(request, task, bad_file(bad.problems, _typed(request)), 422)
    except NotAccepted as refused:
        return _not_taken(request, task, refusal(refused, _typed(request)), 409)
    return redirect("run", campaign.slug, run.pk)


def _checked(request: HttpRequest, task: AutomaticTask, content: bytes) -> HttpResponse:
    """Says that the file could be handed in, with what stood out. Errors: those of `check_run_file`."""
    checked = check_run_file(task=task, content=content, at=timezone.now())
    text = _("The file is right: %(n)d items. Nothing was handed in, no run was used.")
    messages.success(request, text % {"n": checked.n_items})
    if len(checked.parts) > 1:
        messages.success(request, _("It has the parts of: %(names)s.") % {"names": named(checked.parts)})
    for warning in checked.warnings[:WARNINGS_SHOWN]:
        messages.warning(request, str(warning))
    return redirect("task", task.campaign.slug, task.key)


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def example(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponseBase:
    """A small run in the format of the task, about other items than its own."""
    task = task_of(campaign, key)
    return as_download(example_file(task.type))


@for_roles(Role.PARTICIPANT)
@form_on("task")
def service(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """Stores address and secret of the team's service and, on the second button, starts a run against it."""
    task = task_of(campaign, key)
    team = _team_of_form(request, campaign)
    if team is None or not task.task_type.is_service:
        raise Http404
    try:
        form, by, at = read_service(said_in(request.POST)), person_of(request), timezone.now()
        registered = register_service(task=task, team=team, url=form.url, secret=form.secret, by=by, at=at)
        if request.POST.get("then") != "run":
            messages.success(request, _("Address saved."))
            return redirect("service-page", campaign.slug, registered.pk)
    except BadForm as bad:
        return _not_taken(request, task, bad_form(bad.problems, _typed(request)), 422)
    except NotAccepted as refused:
        return _not_taken(request, task, refusal(refused, _typed(request)), 409)
    except Refused as refused:
        messages.error(request, str(refused))
        return _not_taken(request, task, Outcome(typed=_typed(request)), 409)
    return _started(request, task, registered)


def _started(request: HttpRequest, task: AutomaticTask, service: Service) -> HttpResponse:
    try:
        run = start_service_run(service=service, person=person_of(request), at=timezone.now())
    except NotAccepted as refused:
        # Address and secret are stored by now, whatever becomes of the run.
        messages.success(request, _("Address saved."))
        return _not_taken(request, task, refusal(refused, _typed(request)), 409)
    return redirect("run", task.campaign.slug, run.pk)


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def run_page(request: HttpRequest, campaign: Campaign, run_id: UUID) -> HttpResponse:
    run = run_for(person_of(request), campaign, run_id)
    as_organizer = is_organizer(request.user, campaign)
    scores = {
        split: [(figure, figures[figure.name]) for figure in run.task.task_type.figures if figure.name in figures]
        for split, figures in visible_scores(run, as_organizer=as_organizer).items()
    }
    return render(
        request,
        "automatic_tasks/run.html",
        {
            "campaign": campaign,
            "task": run.task,
            "run": run,
            "scores": scores,
            "labels": dict(Split.choices),
            "notes": next((score.notes for score in run.scores.all()), {}),
            "warnings": run.findings[:PROBLEMS_SHOWN],
            "batches": run.batches.all()[:500],
            "others": Run.objects.filter(submission=run.submission).exclude(pk=run.pk).with_names(),
            "is_outdated": run.is_outdated(run.task.score_version),
            "is_unattended": not run.is_over and not has_worker(timezone.now()),
            "wait": QueueSeen(timezone.now()).wait_of(run),
            "as_organizer": as_organizer,
        },
    )


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def run_progress(request: HttpRequest, campaign: Campaign, run_id: UUID) -> HttpResponse:
    """What the page asks every second until the run is over."""
    run = run_for(person_of(request), campaign, run_id)
    return JsonResponse(
        {
            "state": run.state,
            "word": run.get_state_display(),
            "is_over": run.is_over,
            "done": run.n_done,
            "total": run.n_total,
        }
    )


@for_roles(Role.PARTICIPANT, Role.ORGANIZER)
@require_GET
def run_file(request: HttpRequest, campaign: Campaign, run_id: UUID) -> HttpResponseBase:
    """The file as it was handed in, byte for byte; for organizers a service's answers as such a file."""
    run = run_for(person_of(request), campaign, run_id)
    try:
        return as_download(file_for(person_of(request), campaign, run, timezone.now()))
    except (GoldChanged, BadGold, BadNoise) as changed:
        messages.error(request, in_words(reasons_of(changed)))
        return redirect("run", campaign.slug, run.pk)


@for_roles(Role.PARTICIPANT)
@form_on("run")
def choose(request: HttpRequest, campaign: Campaign, run_id: UUID) -> HttpResponse:
    run = run_of_own_team(person_of(request), campaign, run_id)
    try:
        choose_run(run=run, by=person_of(request))
        messages.success(request, _("%(run)s now represents the team.") % {"run": run.called})
    except NotAccepted as refused:
        messages.error(request, str(refused))
    return redirect("task", campaign.slug, run.task.key)
