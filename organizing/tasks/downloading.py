"""The task file with the gold and noise that it names, as one archive; downloading it is in the trail."""

import io
import zipfile

from django.db import transaction
from django.http import HttpResponse

from accounts.models import Person
from audit.actions import record
from automatic_tasks.acts import TASKS_DOWNLOADED
from automatic_tasks.dumping import files_of
from campaigns.models import Campaign

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
