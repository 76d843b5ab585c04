"""Writes the next version of what a campaign says of itself."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.descriptions import PARTS, columns_of
from campaigns.models import Campaign, Description
from campaigns.trail_acts import DESCRIPTION_CHANGED
from reading.kinds import NO_TEXTS, Texts
from serving.refused import Refused


class DescriptionChanged(Refused):
    """Another version was stored since the one that this change started from."""

    code = "description_changed"

    def __str__(self) -> str:
        return _(
            "Somebody else changed the description in the meantime. Compare it with the current version, then save again."
        )


@transaction.atomic
def describe_campaign(
    *, campaign: Campaign, texts: Mapping[str, Texts], based_on: int | None = None, by: Person | None, at: datetime
) -> Description | None:
    """Stores the named parts as the next version, the others as they were; None where nothing differs.

    `based_on` is the version that the writer saw, 0 before the first. Errors: `DescriptionChanged`, `NotNow`.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    latest = campaign.descriptions.first()
    if based_on is not None and based_on != (latest.version if latest else 0):
        raise DescriptionChanged
    changed = changed_parts(latest, texts)
    if not changed:
        return None
    written = store_version(campaign, changed, by, at)
    details = {"version": written.version, "parts": list(changed)}
    record(DESCRIPTION_CHANGED, by=by, at=at, campaign=campaign.slug, about=campaign.slug, details=details)
    return written


def changed_parts(latest: Description | None, texts: Mapping[str, Texts]) -> dict[str, Texts]:
    """The parts that would differ from the latest version, in their order."""
    before = latest.texts() if latest else dict.fromkeys(PARTS, NO_TEXTS)
    given = {part: _trimmed(texts[part]) for part in PARTS if part in texts}
    return {part: after for part, after in given.items() if after != before[part]}


def store_version(campaign: Campaign, changed: Mapping[str, Texts], by: Person | None, at: datetime) -> Description:
    """The same inside the transaction of another act, which is the one that the trail names."""
    latest = campaign.descriptions.first()
    texts = (latest.texts() if latest else {}) | dict(changed)
    version = latest.version + 1 if latest else 1
    return campaign.descriptions.create(version=version, written_by=by, written_at=at, **columns_of(texts))


def _trimmed(texts: Texts) -> Texts:
    """Forms send other ends of lines than files have."""
    return replace(texts, zh=texts.zh.replace("\r\n", "\n").strip(), en=texts.en.replace("\r\n", "\n").strip())
