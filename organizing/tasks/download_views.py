"""Downloads beside the form of a task: the file of all tasks, and small gold of each type."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.access import person_of
from automatic_tasks.example_runs import example_gold_file
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from organizing.tasks.downloading import archive_for
from scoring.task_types import TASK_TYPES


@for_roles(Role.ORGANIZER)
@require_GET
def task_files(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return archive_for(campaign=campaign, by=person_of(request))


@for_roles(Role.ORGANIZER)
@require_GET
def example_gold(request: HttpRequest, campaign: Campaign, type: str) -> HttpResponse:
    if type not in TASK_TYPES:
        raise Http404
    name, content = example_gold_file(type)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/octet-stream", headers=headers)
