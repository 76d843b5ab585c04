"""Why a bot or a person pauses: the reason as its reader may see it, since when, and until when."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import pause_of
from campaigns.calendar import moment_in_zone
from campaigns.hours import hours_of
from campaigns.models import Campaign, CampaignRole, Entry, PausedBy, Role
from dialogues.masking import Masker, masker_of
from dialogues.queries import masked_words


@dataclass(frozen=True, slots=True)
class BotPause:
    """`until` says what ends it; at `closes_at` testing ends, and it is too late. `since` is missing where nothing tells it."""

    because: str
    since: datetime | None
    until: str
    closes_at: datetime | None = None

    def masked(self, masker: Masker) -> "BotPause":
        return replace(self, because=masker.mask(self.because))


def bot_pause(entry: Entry, campaign: Campaign, at: datetime) -> BotPause | None:
    """In the reader's language, with the reason as it was typed: who shows it masks it. None where the bot can be talked to."""
    closes_at = too_late_at(campaign)
    if entry.paused_at is not None:
        probed = entry.paused_by == PausedBy.PLATFORM
        until = _("until it answers a probe") if probed else _("until an organizer resumes it")
        return BotPause(entry.why_paused, entry.paused_at, until, closes_at)
    if entry.draft_since is not None:
        because = _("An organizer has to admit it again first.")
        return BotPause(because, entry.draft_since, _("until an organizer admits it"), closes_at)
    if not entry.has_fresh_report(campaign, at):
        because = _("It has to be checked again first.")
        return BotPause(because, _outdated_since(entry, campaign, at), _("until a check finds no fault"), closes_at)
    if not entry.is_open(campaign, at):
        because = _("It is closed at this hour; it is open: %(hours)s") % {"hours": entry.hours}
        return BotPause(because, None, until_opening(entry.hours, campaign, at), closes_at)
    return None


def until_opening(hours: str, campaign: Campaign, at: datetime) -> str:
    """In words, when these hours begin again."""
    opening = hours_of(hours).next_opening(at, campaign.zone)
    if opening is None:
        return _("it does not open again")
    return _("until %(when)s") % {"when": moment_in_zone(opening, campaign.time_zone)}


def shift_of(person: Person, campaign: Campaign) -> str:
    """The hours of the tester; empty for always."""
    held = CampaignRole.objects.filter(campaign=campaign, person=person, role=Role.TESTER)
    return held.values_list("hours", flat=True).first() or ""


def outside_shift(hours: str, campaign: Campaign, at: datetime) -> str:
    """Why a tester with that shift opens nothing at this moment; empty where they may."""
    if hours_of(hours).is_open(at, campaign.zone):
        return ""
    opening = hours_of(hours).next_opening(at, campaign.zone)
    if opening is None:
        return _("Your shift is over (%(hours)s). What you have begun you can finish.") % {"hours": hours}
    said = {"when": moment_in_zone(opening, campaign.time_zone), "hours": hours}
    return _("Your next shift begins at %(when)s (%(hours)s). What you have begun you can finish.") % said


def too_late_at(campaign: Campaign) -> datetime | None:
    """After this second no dialogue can be opened; None where no date says so."""
    return min((date for date in (campaign.testing_until, campaign.ends_at) if date), default=None)


def _outdated_since(entry: Entry, campaign: Campaign, at: datetime) -> datetime | None:
    """Since when its last green report is too old; a bot that never had one waits since testing began, or it was admitted to it."""
    if entry.green_at is not None:
        return entry.green_at + timedelta(hours=campaign.green_report_hours or 0)
    begun = [moment for moment in (campaign.testing_from, entry.admitted_at) if moment is not None]
    # No tester waits for it before testing begins.
    return max(begun) if begun and max(begun) <= at else None


def shown_pause(person: Person, campaign: Campaign, role: str) -> CampaignRole | None:
    """The role that pauses, with its reason masked; None where it does not pause."""
    pause = pause_of(person, campaign, role)
    if pause is not None:
        pause.paused_because = shown_reason(pause, campaign)
    return pause


def shown_reason(held: CampaignRole, campaign: Campaign) -> str:
    """Why the role pauses, without the names of teams and systems; empty where it does not."""
    return held.paused_because and masker_of(masked_words(campaign)).mask(held.paused_because)
