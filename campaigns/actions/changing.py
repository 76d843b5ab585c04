"""Changes settings of a campaign, one by one or as its file says them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.scores import note_changed_scores
from campaigns.acts import SETTINGS_CHANGED
from campaigns.calendar import Doing, check_open
from campaigns.calendar_order import OutOfOrder, out_of_order
from campaigns.campaign_settings import SETTINGS, settings_of
from campaigns.models import Campaign
from campaigns.setting import Changeable, Setting


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


@transaction.atomic
def change_settings(
    *, campaign: Campaign, changes: Mapping[str, Any], by: Person | None = None, at: datetime | None = None
) -> list[Setting]:
    """Stores the settings that `changes` maps by name to values of their kinds; gives those that differed.

    Nothing else is written, to the row as it is now: `campaign` may be older than what somebody else changed.
    Errors: `FixedByDialogues`, `NoSuchFigure`, `DatesOutOfOrder`, `NotNow`; then nothing is changed.
    """
    changed = store_settings(campaign, changes, at or timezone.now())
    if changed:
        details = {"changes": [f"{setting.key_in_file} {before} → {after}" for setting, before, after in changed]}
        record(SETTINGS_CHANGED, by=by, campaign=campaign.slug, about=campaign.slug, details=details)
    return [setting for setting, _before, _after in changed]


def store_settings(campaign: Campaign, changes: Mapping[str, Any], at: datetime) -> list[tuple[Setting, Any, Any]]:
    """The same inside the transaction of another act, which is the one that the trail names; each with its old and new value."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    named = [SETTINGS[name] for name in sorted(changes, key=list(SETTINGS).index)]
    differing = [setting for setting in named if setting.value_in(locked) != changes[setting.name]]
    fixed = [setting for setting in differing if setting.changeable is Changeable.BEFORE_DIALOGUES]
    if fixed and locked.has_begun():
        raise FixedByDialogues(fixed)
    if unknown := set(changes.get("ranking_rule", ())) - locked.figures().keys():
        raise NoSuchFigure(", ".join(sorted(unknown)))
    before = {setting.name: setting.value_in(locked) for setting in differing}
    columns = columns_of({setting.name: changes[setting.name] for setting in differing})
    for name, stored in columns.items():
        setattr(locked, name, stored)
    if columns:
        if wrong := out_of_order(locked):
            raise DatesOutOfOrder(wrong)
        # By the dates as they are to be: what is over changes only by being extended.
        check_open(locked, Doing.ORGANIZE, at)
        locked.save(update_fields=list(columns))
    for name, stored in columns.items():
        setattr(campaign, name, stored)
    if columns.keys() & {"ranking_rule", *settings_of("faults")}:
        note_changed_scores(campaign=campaign)
    return [(setting, before[setting.name], changes[setting.name]) for setting in differing]


def columns_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored for settings by name."""
    return {
        column: stored for name, value in settings.items() for column, stored in SETTINGS[name].columns(value).items()
    }
