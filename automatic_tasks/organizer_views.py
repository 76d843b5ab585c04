"""What organizers see and do: open and close a task, release hidden scores, start runs, score again."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from automatic_tasks.access import run_for, task_of, visible_scores
from automatic_tasks.actions import (
    CHANGES,
    NotAccepted,
    change_task,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
)
from automatic_tasks.boards.task_boards import outdated_runs
from automatic_tasks.models import RunState
from automatic_tasks.runs.queue import QueueSeen, workers_there
from automatic_tasks.services.rows import rows_of
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from participants.models import Team


@for_roles(Role.ORGANIZER)
@require_GET
def organize_task(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    task = task_of(campaign, key)
    runs = list(task.runs.with_names().with_scores()[:300])
    version, queue = task.score_version, QueueSeen(timezone.now())
    for run in runs:
        run.shown = visible_scores(run, as_organizer=True)  # type: ignore[attr-defined]
        run.is_older = run.is_outdated(version)  # type: ignore[attr-defined]
        run.wait = queue.wait_of(run)  # type: ignore[attr-defined]
    workers = list(workers_there(timezone.now()))
    return render(
        request,
        "automatic_tasks/organize.html",
        {
            "campaign": campaign,
            "task": task,
            "runs": runs,
            "figures": task.task_type.figures[:3],
            "n_waiting": sum(run.state == RunState.QUEUED for run in runs),
            "n_running": sum(run.state == RunState.RUNNING for run in runs),
            "is_unattended": any(not run.is_over for run in runs) and not workers,
            "troubled_workers": [worker for worker in workers if worker.n_troubles],
            "n_outdated": len(outdated_runs(task)),
            "n_failed": sum(run.state == RunState.FAILED for run in runs),
            "rows": rows_of(task.services.with_names().order_by("team__name"), campaign, timezone.now()),
            "n_development": len(task.development_ids),
            "n_hidden": task.n_items - len(task.development_ids),
            "options": [(_(option.help), task.all_options[option.name]) for option in task.task_type.options],
        },
    )


@for_roles(Role.ORGANIZER)
@form_on("organize-task")
def change(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """One button each: open, close, show or hide the board, release or withdraw the hidden scores."""
    changes = {name: request.POST[name] == "1" for name in CHANGES if name in request.POST}
    change_task(task=task_of(campaign, key), changes=changes, at=timezone.now(), by=person_of(request))
    return redirect("organize-task", campaign.slug, key)


@for_roles(Role.ORGANIZER)
@form_on("organize-task")
@tells_refusal
def start_runs(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """Runs of all services at the same time, or of the baselines; or runs that were scored before, once more."""
    task, person, now = task_of(campaign, key), person_of(request), timezone.now()
    match request.POST.get("what"):
        case "baselines":
            n = len(score_baselines(task=task, person=person, at=now))
            done = ngettext("%(n)s baseline is in the queue.", "%(n)s baselines are in the queue.", n)
        case "services":
            started, left_out = start_all_service_runs(task=task, person=person, at=now)
            n = len(started)
            done = ngettext("%(n)s service is called.", "%(n)s services are called at the same time.", n)
            _say_left_out(request, left_out)
        case "outdated" | "scored" as which:
            runs = outdated_runs(task) if which == "outdated" else task.runs.filter(state=RunState.SCORED)
            n = len(score_all_again(runs=runs, by=person))
            done = ngettext("%(n)s run is scored again.", "%(n)s runs are scored again.", n)
        case _:
            raise Http404
    messages.success(request, done % {"n": n})
    return redirect("organize-task", campaign.slug, key)


def _say_left_out(request: HttpRequest, left_out: Mapping[Team, NotAccepted]) -> None:
    """Once per reason, with the teams that it concerns."""
    names_by_reason: dict[str, list[str]] = {}
    for team, refused in left_out.items():
        names_by_reason.setdefault(str(refused), []).append(team.called)
    for reason, names in names_by_reason.items():
        messages.warning(request, _("Left out: %(names)s. %(reason)s") % {"names": ", ".join(names), "reason": reason})


@for_roles(Role.ORGANIZER)
@form_on("run")
@tells_refusal
def again(request: HttpRequest, campaign: Campaign, run_id: UUID) -> HttpResponse:
    run = run_for(person_of(request), campaign, run_id)
    score_again(run=run, by=person_of(request))
    return redirect("run", campaign.slug, run.pk)
