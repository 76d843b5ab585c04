"""What testers are shown of announcements: without names of teams and systems (design §4, rule 6)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from campaigns.models import Campaign
from dialogues.masking import masker_of
from dialogues.models import Announcement, Outage
from dialogues.queries import masked_words
from reading.kinds import LANGUAGES


def standing_notices(campaign: Campaign, at: datetime) -> list[dict[str, Any]]:
    return [*outage_notices(at), *shown_notices(campaign, list(campaign.announcements.standing(at)))]


def outage_notices(at: datetime) -> list[dict[str, Any]]:
    """What the platform itself says while bots fail together, in every campaign; at most one."""
    outage = Outage.objects.standing(at).first()
    if outage is None:
        return []
    said = {}
    for name, language in LANGUAGES.items():
        with override(language):
            said[name] = _(
                "Several systems fail at once, so the fault is on our side. It costs you and them nothing; try again in a minute."
            )
    return [{"id": -outage.pk, **said, "at": outage.began_at.isoformat(), "until": None}]


def shown_notices(campaign: Campaign, announcements: Sequence[Announcement]) -> list[dict[str, Any]]:
    """`zh` and `en` as they were written, and what stands in the other language's place where one is missing."""
    if not announcements:
        return []
    masker = masker_of(masked_words(campaign))
    return [
        {
            "id": one.pk,
            "zh": masker.mask(one.text_zh or one.text_en),
            "en": masker.mask(one.text_en or one.text_zh),
            "at": one.at.isoformat(),
            "until": one.until.isoformat() if one.until else None,
        }
        for one in announcements
    ]
