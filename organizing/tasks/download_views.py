"""Downloads beside the form of a task: the file of all tasks, and small gold of each type."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from organizing.tasks.downloading import archive_for, example_gold_of


@for_roles(Role.ORGANIZER)
@require_GET
def task_files(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return archive_for(campaign=campaign, by=person_of(request))


@for_roles(Role.ORGANIZER)
@require_GET
def example_gold(request: HttpRequest, campaign: Campaign, type: str) -> HttpResponse:
    return example_gold_of(type)
