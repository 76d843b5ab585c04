"""The organizer's page of team quotas for a task, and its form."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from automatic_tasks.access import task_of
from automatic_tasks.actions import set_quota, take_back_quota
from automatic_tasks.models import AutomaticTask
from automatic_tasks.runs.quotas import teams_of
from automatic_tasks.task_file import QuotaSpec
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from reading.checking import BadForm, Problems
from reading.digits import whole_or_text
from reading.findings import Finding
from reading.tables import table_of

TABLE = table_of(QuotaSpec)


def typed_quota(sent: Mapping[str, str]) -> dict[str, Any]:
    """What was typed as the document that a program sends: numbers where they are some, nothing where it is empty."""
    typed = {name: sent.get(name, "").strip() for name in ("team", "total", "per_day", "reason")}
    return {name: whole_or_text(text) if name in ("total", "per_day") else text for name, text in typed.items() if text}


def quota_of(document: Any) -> QuotaSpec:
    """Errors: `BadForm` with the names of fields as places."""
    problems = Problems()
    spec: QuotaSpec | None = TABLE.read(document, "", "", problems)
    if spec is not None and not problems and spec.total is None and spec.per_day is None:
        problems.note("total", gettext_noop("says no quota: give total, per_day or both"))
    problems.refuse(BadForm)
    if spec is None:
        raise BadForm(problems.listed())
    return spec


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
