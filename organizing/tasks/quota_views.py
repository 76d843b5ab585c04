"""The organizer's page of teams that have a quota of their own for a task."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from automatic_tasks.actions import set_quota, take_back_quota
from automatic_tasks.models import AutomaticTask
from automatic_tasks.quotas import teams_of
from automatic_tasks.visibility import task_of
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from organizing.tasks.quota_form import quota_of, typed_quota
from reading.checking import BadForm
from reading.findings import Finding


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def quotas(request: HttpRequest, campaign: Campaign, key: str) -> HttpResponse:
    """POST gives a team its own quota; with `act=take_back` the task's holds for it again."""
    task = task_of(campaign, key)
    if request.method != "POST":
        return _page(request, task, [])
    try:
        if request.POST.get("act") == "take_back":
            return _take_back(request, task)
        spec = quota_of(typed_quota(request.POST))
        set_quota(task=task, spec=spec, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _page(request, task, bad.problems)
    except NotNow as over:
        messages.error(request, str(over))
        return _page(request, task, [])
    messages.success(request, _("%(team)s has a quota of its own now.") % {"team": spec.team})
    return redirect("task-quotas", slug=campaign.slug, key=key)


def _take_back(request: HttpRequest, task: AutomaticTask) -> HttpResponse:
    quota = get_object_or_404(task.team_quotas.select_related("team"), team__name=request.POST.get("team", ""))
    because = request.POST.get("because", "")
    try:
        take_back_quota(quota=quota, because=because, by=person_of(request), at=timezone.now())
    except ReasonNeeded as wrong:
        messages.error(request, str(wrong))
        return _page(request, task, [])
    messages.success(request, _("The task's quota holds for %(team)s again.") % {"team": quota.team.called})
    return redirect("task-quotas", slug=task.campaign.slug, key=task.key)


def _page(request: HttpRequest, task: AutomaticTask, problems: list[Finding]) -> HttpResponse:
    by_name: dict[str, list[Finding]] = {}
    for problem in problems:
        by_name.setdefault(problem.place, []).append(problem)
    fields = (
        ("total", _("Runs in all"), "number", f"{task.quota_total}"),
        ("per_day", _("Runs per day"), "number", f"{task.quota_per_day}"),
        ("reason", _("Reason"), "text", ""),
    )
    return render(
        request,
        "organizing/tasks/quotas.html",
        {
            "campaign": task.campaign,
            "task": task,
            "quotas": task.team_quotas.select_related("team"),
            "teams": teams_of(task.campaign),
            "typed": request.POST if request.method == "POST" else {},
            "team_problems": by_name.get("team", []),
            "fields": [
                (name, label, control, usual, request.POST.get(name, ""), by_name.get(name, []))
                for name, label, control, usual in fields
            ],
        },
        status=422 if problems else 200,
    )
