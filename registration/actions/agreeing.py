"""Agreements: an organizer writes a version, a member accepts it for the team."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from participants.models import Team
from reading.storable import is_storable
from registration.acts import AGREEMENT_ACCEPTED, AGREEMENT_WRITTEN
from registration.agreed import current_agreement
from registration.models import Acceptance, Agreement
from registration.refusals import NotPossible

TEXT_LIMIT = 50_000


@transaction.atomic
def write_agreement(*, campaign: Campaign, text_zh: str, text_en: str, by: Person | None, at: datetime) -> Agreement:
    """Stores the next version, which every team is asked to accept; without a text none is asked for any more.

    Errors: `NotPossible` with code `unchanged` or `too_long`.
    """
    # Versions follow each other without a gap.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    latest = campaign.agreements.first()
    texts = {"text_zh": _stored(text_zh), "text_en": _stored(text_en)}
    if texts == {"text_zh": getattr(latest, "text_zh", ""), "text_en": getattr(latest, "text_en", "")}:
        raise NotPossible("unchanged")
    version = latest.version + 1 if latest else 1
    written = Agreement.objects.create(campaign=campaign, version=version, written_by=by, written_at=at, **texts)
    lengths = {name: len(text) for name, text in texts.items()}
    record(AGREEMENT_WRITTEN, by=by, at=at, campaign=campaign.slug, about=str(version), details=lengths)
    return written


@transaction.atomic
def accept_agreement(*, campaign: Campaign, team: Team, person: Person, version: int, at: datetime) -> Acceptance:
    """Stores who accepted which version for the team, and when; accepting it again changes nothing.

    Errors: `NotPossible` with code `no_text`, or `other_version` where a newer text than the one that was read is in force.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    agreement = current_agreement(campaign)
    if agreement is None:
        raise NotPossible("no_text")
    if agreement.version != version:
        raise NotPossible("other_version")
    accepted, is_new = Acceptance.objects.get_or_create(
        agreement=agreement, team=team, defaults={"person": person, "at": at}
    )
    if is_new:
        details = {"version": version}
        record(AGREEMENT_ACCEPTED, by=person, at=at, campaign=campaign.slug, about=team.name, details=details)
    return accepted


def _stored(text: str) -> str:
    """With the line breaks of the platform: browsers send others than they were given."""
    plain = text.replace("\r\n", "\n").strip()
    if len(plain) > TEXT_LIMIT or not is_storable(plain):
        raise NotPossible("too_long", n=TEXT_LIMIT)
    return plain
