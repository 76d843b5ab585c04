"""Changes the dates of a campaign: the one act that is open after its end."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.actions.changing import DatesOutOfOrder
from campaigns.acts import CALENDAR_CHANGED
from campaigns.calendar import DATES, Doing, check_open, is_open
from campaigns.calendar_changes import DateChange, changed_dates, needs_reason
from campaigns.calendar_order import out_of_order
from campaigns.models import Campaign
from campaigns.reasons import reason_of, reason_or_none


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
    before = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
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
