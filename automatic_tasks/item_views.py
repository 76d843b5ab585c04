"""The items behind a figure of a run: for organizers alone, since an item's score tells what its gold is."""

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import person_of
from automatic_tasks.access import run_for
from automatic_tasks.models import Split
from automatic_tasks.runs.scores import RunItems
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from scoring.one_run import BadGold

ITEMS_PER_PAGE = 50


@for_roles(Role.ORGANIZER)
@require_GET
def run_items(request: HttpRequest, campaign: Campaign, run_id: UUID, split: str) -> HttpResponse:
    """Some items at a time, with the figure of `?figure=`, or the first that ranks."""
    run = run_for(person_of(request), campaign, run_id)
    task = run.task
    wanted = request.GET.get("figure", task.ranking_rule[0].figure)
    figure = next((one for one in task.task_type.figures if one.name == wanted), None)
    if figure is None or split not in task.splits:
        raise Http404
    score = run.scores.filter(split=split).first()
    context: dict[str, Any] = {"campaign": campaign, "task": task, "run": run, "figure": figure, "score": score}
    context |= {"split_name": dict(Split.choices)[split], "query": f"figure={figure.name}"}
    try:
        # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
        items: Any = RunItems(run, score, figure.name) if score else []
    except BadGold:
        items = []
    page = Paginator(items, ITEMS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "automatic_tasks/items.html", context | {"page": page, "n": len(items)})
