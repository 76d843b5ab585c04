"""The campaign's file as a download, without secrets; it is in the trail."""

from django.db import transaction
from django.http import HttpResponse

from accounts.models import Person
from audit.actions import record
from campaigns.dumping import file_of
from campaigns.models import Campaign
from organizing.acts import FILE_DOWNLOADED

MEDIA_TYPES = {"toml": "application/toml; charset=utf-8", "json": "application/json"}


@transaction.atomic
def file_for(*, campaign: Campaign, format: str, by: Person) -> HttpResponse:
    """Errors: `NotToml`."""
    text = file_of(campaign, format, with_secrets=False)
    record(FILE_DOWNLOADED, by=by, campaign=campaign.slug, about=campaign.slug, details={"format": format})
    name = f"{campaign.slug}.{format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text.encode(), content_type=MEDIA_TYPES[format], headers=headers)
