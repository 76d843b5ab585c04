"""Tells all testers of a campaign something, and takes it back."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from campaigns.reasons import reason_of
from dialogues.models import ANNOUNCEMENT_LIMIT, Announcement
from dialogues.trail_acts import ANNOUNCED, ANNOUNCEMENT_TAKEN_BACK

ANNOUNCEMENTS_AT_ONCE = 5


class BadAnnouncement(Exception):
    """It cannot be made as it is; the message says why, `field` where."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@transaction.atomic
def make_announcement(
    *, campaign: Campaign, by: Person, zh: str, en: str, until: datetime | None, at: datetime
) -> Announcement:
    """Shown in open consoles within a second, and on the lists of testers and reviewers, until it ends.

    Errors: `BadAnnouncement`, `NotNow`.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    zh, en = zh.strip(), en.strip()
    _check(campaign, zh, en, until, at)
    made = Announcement.objects.create(campaign=campaign, made_by=by, text_zh=zh, text_en=en, at=at, until=until)
    record(ANNOUNCED, by=by, at=at, campaign=campaign.slug, because=_both(made), details=_details(made))
    return made


def _check(campaign: Campaign, zh: str, en: str, until: datetime | None, at: datetime) -> None:
    if not (zh or en):
        raise BadAnnouncement("zh", _("Write a sentence, in Chinese or English or both."))
    for name, text in (("zh", zh), ("en", en)):
        if len(text) > ANNOUNCEMENT_LIMIT:
            raise BadAnnouncement(name, _("A sentence has at most %(n)d characters.") % {"n": ANNOUNCEMENT_LIMIT})
    if until is not None and until <= at:
        raise BadAnnouncement("until", _("It would be over already."))
    if campaign.announcements.standing(at).count() >= ANNOUNCEMENTS_AT_ONCE:
        raise BadAnnouncement(
            "zh", _("%(n)d announcements are shown already: take one back first.") % {"n": ANNOUNCEMENTS_AT_ONCE}
        )


@transaction.atomic
def take_back_announcement(*, announcement: Announcement, because: str, by: Person, at: datetime) -> Announcement:
    """Testers are no longer shown it; one that has ended stays as it is. Errors: `ReasonNeeded`."""
    because = reason_of(because)
    standing = Announcement.objects.standing(at).filter(pk=announcement.pk)
    if standing.update(taken_back_at=at):
        announcement.refresh_from_db()
        campaign = announcement.campaign.slug
        record(
            ANNOUNCEMENT_TAKEN_BACK, by=by, at=at, campaign=campaign, because=because,
            details=_details(announcement) | {"text": _both(announcement)},
        )  # fmt: skip
    return announcement


def _both(announcement: Announcement) -> str:
    return " / ".join(filter(None, (announcement.text_zh, announcement.text_en)))


def _details(announcement: Announcement) -> dict[str, object]:
    return {"announcement": announcement.pk, "until": announcement.until.isoformat() if announcement.until else None}
