"""Changes the settings and dates of a campaign, and notes that its figures or its publication changed."""

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import DATES, Doing, check_open, is_open
from campaigns.campaign_file.calendar_settings import DateChange, OutOfOrder, changed_dates, needs_reason, out_of_order
from campaigns.campaign_file.campaign_settings import MOST_DRAWN, SETTINGS, settings_of
from campaigns.campaign_file.setting import Changeable, Setting
from campaigns.models import Campaign
from campaigns.reasons import reason_of, reason_or_none
from campaigns.trail_acts import CALENDAR_CHANGED, SETTINGS_CHANGED


def note_changed_scores(*, campaign: Campaign) -> None:
    """Marks the leaderboard stale; call inside the change's transaction, or the new figures could miss it."""
    Campaign.objects.filter(pk=campaign.pk).update(scores_version=F("scores_version") + 1)


Changed = tuple[Setting, Any, Any]


class FixedByDialogues(Exception):
    """The settings cannot change any more: dialogues were opened by them."""

    def __init__(self, settings: Sequence[Setting]) -> None:
        super().__init__(", ".join(setting.key_in_file for setting in settings))
        self.settings = settings


class DatesOutOfOrder(Exception):
    """A date would come before one that it must follow."""

    def __init__(self, wrong: Sequence[OutOfOrder]) -> None:
        super().__init__(", ".join(f"{one.later} {one.text % {'earlier': one.earlier}}" for one in wrong))
        self.wrong = wrong


class NoSuchFigure(Exception):
    """The ranking rule names what the campaign's rubric does not give."""


class OnlyStaff(Exception):
    """Only staff of the platform let a plan have more assignments than the usual limit."""


@transaction.atomic
def change_settings(
    *, campaign: Campaign, changes: Mapping[str, Any], by: Person | None = None, at: datetime | None = None
) -> list[Setting]:
    """Stores the settings that `changes` maps by name to values of their kinds; gives those that differed.

    Nothing else is written, to the row as it is now: `campaign` may be older than what somebody else changed.
    Errors: `FixedByDialogues`, `NoSuchFigure`, `DatesOutOfOrder`, `OnlyStaff`, `NotNow`; then nothing is changed.
    """
    if needs_staff(campaign.plan_limit, changes) and not is_staff(by):
        raise OnlyStaff
    changed = store_settings(campaign, changes, at or timezone.now())
    if changed:
        details = {"changes": [f"{setting.key_in_file} {before} → {after}" for setting, before, after in changed]}
        record(SETTINGS_CHANGED, by=by, campaign=campaign.slug, about=campaign.slug, details=details)
    return [setting for setting, _before, _after in changed]


def store_settings(campaign: Campaign, changes: Mapping[str, Any], at: datetime) -> list[Changed]:
    """The same inside the transaction of another act, which is the one that the trail names; each with its old and new value."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    changed = compare_settings(locked, changes, at)
    write_settings(locked, changed)
    for name, stored in columns_of({setting.name: after for setting, _before, after in changed}).items():
        setattr(campaign, name, stored)
    return changed


def compare_settings(campaign: Campaign, changes: Mapping[str, Any], at: datetime) -> list[Changed]:
    """Gives the row the values that differ and writes nothing. Errors: as of `change_settings`; then the row is as it was."""
    named = [SETTINGS[name] for name in sorted(changes, key=list(SETTINGS).index)]
    differing = [setting for setting in named if setting.value_in(campaign) != changes[setting.name]]
    fixed = [setting for setting in differing if setting.changeable is Changeable.BEFORE_DIALOGUES]
    if fixed and campaign.has_begun():
        raise FixedByDialogues(fixed)
    if unknown := set(changes.get("ranking_rule", ())) - campaign.figures().keys():
        raise NoSuchFigure(", ".join(sorted(unknown)))
    columns = columns_of({setting.name: changes[setting.name] for setting in differing})
    after = copy(campaign)
    for name, stored in columns.items():
        setattr(after, name, stored)
    if columns:
        if wrong := out_of_order(after):
            raise DatesOutOfOrder(wrong)
        # By the dates as they are to be: what is over changes only by being extended.
        check_open(after, Doing.ORGANIZE, at)
    changed = [(setting, setting.value_in(campaign), changes[setting.name]) for setting in differing]
    for name, stored in columns.items():
        setattr(campaign, name, stored)
    return changed


def write_settings(campaign: Campaign, changed: Sequence[Changed]) -> None:
    """Stores what `compare_settings` gave the row."""
    columns = columns_of({setting.name: after for setting, _before, after in changed})
    if columns:
        campaign.save(update_fields=list(columns))
    if columns.keys() & {"ranking_rule", *settings_of("faults")}:
        note_changed_scores(campaign=campaign)


def needs_staff(plan_limit: int, changes: Mapping[str, Any]) -> bool:
    """Whether the changes raise the limit of the plan beyond what an organizer may set."""
    return changes.get("plan_limit", 0) > max(MOST_DRAWN, plan_limit)


def is_staff(by: Person | None) -> bool:
    """Commands are run by the platform's operator."""
    return by is None or by.is_staff


def columns_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored for settings by name."""
    return {
        column: stored for name, value in settings.items() for column, stored in SETTINGS[name].columns(value).items()
    }


class ConfirmationNeeded(Exception):
    """The change would close at once what is open now; `changes` are the dates that do."""

    def __init__(self, changes: Sequence[DateChange]) -> None:
        super().__init__(", ".join(change.name for change in changes))
        self.changes = changes


@transaction.atomic
def change_calendar(
    *,
    campaign: Campaign,
    dates: Mapping[str, datetime | None],
    time_zone: str = "",
    because: str = "",
    is_confirmed: bool = False,
    by: Person | None,
    at: datetime,
) -> list[DateChange]:
    """Stores the dates that are named (None takes one back); gives those that differed. An empty time zone stays.

    An ended campaign opens again by a later end; its other dates change only together with that.
    Errors: `DatesOutOfOrder`, `NotNow`, `ConfirmationNeeded` (unless it is confirmed), `ReasonNeeded`; then nothing is changed.
    """
    # Openings hold this row, too: none comes between the check and the dates that it was checked by.
    before = Campaign.objects.held(campaign.pk)
    after = Campaign.objects.get(pk=campaign.pk)
    for name in dates.keys() & set(DATES):
        setattr(after, name, dates[name])
    after.time_zone = time_zone or before.time_zone
    if wrong := out_of_order(after):
        raise DatesOutOfOrder(wrong)
    changes = changed_dates(before, after)
    if not changes and after.time_zone == before.time_zone:
        return []
    if not is_open(before, Doing.ORGANIZE, at):
        check_open(after, Doing.ORGANIZE, at)
    closing = [change for change in changes if change.closes_at_once(at)]
    if closing and not is_confirmed:
        raise ConfirmationNeeded(closing)
    because = reason_of(because) if needs_reason(changes, at) else reason_or_none(because)
    after.save(update_fields=[*DATES, "time_zone"])
    campaign.refresh_from_db(fields=[*DATES, "time_zone"])
    _record(before, after, changes, because, by, at)
    return changes


def _record(
    before: Campaign, after: Campaign, changes: Sequence[DateChange], because: str, by: Person | None, at: datetime
) -> None:
    said = {change.name: [_said(change.before), _said(change.after)] for change in changes}
    if before.time_zone != after.time_zone:
        said["time_zone"] = [before.time_zone, after.time_zone]
    record(CALENDAR_CHANGED, by=by, at=at, campaign=after.slug, about=after.slug, because=because, details=said)


def _said(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def note_publication(*, campaign: Campaign, is_public: bool) -> None:
    """Whether a published leaderboard is public now. Call inside the transaction that publishes or withdraws it."""
    campaign.is_published, campaign.was_published = is_public, True
    campaign.save(update_fields=["is_published", "was_published"])
