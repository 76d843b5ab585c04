"""What testers are shown of announcements: without names of teams and systems (design §4, rule 6)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from campaigns.models import Campaign
from testing_console.announcements import Announcement
from testing_console.masking import masker_of
from testing_console.queries import masked_words


def standing_notices(campaign: Campaign, at: datetime) -> list[dict[str, Any]]:
    return shown_notices(campaign, list(campaign.announcements.standing(at)))


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
