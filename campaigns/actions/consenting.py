"""What a tester agrees to before the first dialogue: asked once for each wording, given with the version that was read."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign, Consent, Description
from campaigns.trail_acts import CONSENT_GIVEN
from serving.refused import Refused


class ConsentChanged(Refused):
    """The wording is another one by now, or none is asked for."""

    code = "consent_changed"

    def __str__(self) -> str:
        return _("The text was changed in the meantime. Read it as it is now.")


def consent_due(campaign_id: int, person_id: int) -> Description | None:
    """The version that the person has to agree to; None where the campaign asks for no consent or has it."""
    latest = Description.objects.filter(campaign=campaign_id).first()
    if latest is None or not latest.asks_for_consent:
        return None
    given = Consent.objects.filter(person=person_id, description__campaign=campaign_id)
    same = given.filter(description__consent_zh=latest.consent_zh, description__consent_en=latest.consent_en)
    return None if same.exists() else latest


@transaction.atomic
def give_consent(*, campaign: Campaign, person: Person, version: int, at: datetime) -> None:
    """Keeps that the person agreed; does nothing if they have. Errors: `ConsentChanged`."""
    due = consent_due(campaign.pk, person.pk)
    if due is None:
        return
    if due.version != version:
        raise ConsentChanged
    _consent, is_new = Consent.objects.get_or_create(description=due, person=person, defaults={"at": at})
    if is_new:
        details = {"version": version}
        record(CONSENT_GIVEN, by=person, at=at, campaign=campaign.slug, about=campaign.slug, details=details)
