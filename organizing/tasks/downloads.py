"""Downloads of tasks: the file of all with the gold and noise that it names, which is in the trail; small gold of each type."""

import io
import zipfile

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.models import Person
from audit.actions import record
from automatic_tasks.dumping import files_of
from automatic_tasks.runs.files import example_gold_file
from automatic_tasks.trail_acts import TASKS_DOWNLOADED
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from scoring.task_types import TASK_TYPES

# The same tasks give the same bytes, whenever they are downloaded.
MADE_AT = (1980, 1, 1, 0, 0, 0)


@transaction.atomic
def archive_for(*, campaign: Campaign, by: Person) -> HttpResponse:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in files_of(campaign):
            files.writestr(zipfile.ZipInfo(name, MADE_AT), content, zipfile.ZIP_DEFLATED)
    record(TASKS_DOWNLOADED, by=by, campaign=campaign.slug, about=campaign.slug)
    headers = {"Content-Disposition": f'attachment; filename="{campaign.slug}-tasks.zip"'}
    return HttpResponse(archive.getvalue(), content_type="application/zip", headers=headers)


def example_gold_of(type: str) -> HttpResponse:
    """Errors: `Http404` for a type that there is not."""
    if type not in TASK_TYPES:
        raise Http404
    name, content = example_gold_file(type)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/octet-stream", headers=headers)


@for_roles(Role.ORGANIZER)
@require_GET
def task_files(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return archive_for(campaign=campaign, by=person_of(request))


@for_roles(Role.ORGANIZER)
@require_GET
def example_gold(request: HttpRequest, campaign: Campaign, type: str) -> HttpResponse:
    return example_gold_of(type)
