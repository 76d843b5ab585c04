"""Moves a bot from stage to stage: its team submits it, an organizer admits it, sends it back, or freezes it early."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Model

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import counts_of, redraw, redraw_smaller
from campaigns.actions.ended import refuse_if_ended
from campaigns.acts import BOT_ADMITTED, BOT_FROZEN, BOT_SENT_BACK, BOT_SUBMITTED
from campaigns.models import Campaign, Entry
from campaigns.stage_steps import Columns, admitted, frozen, sent_back, submitted


@transaction.atomic
def submit_bot(*, entry: Entry, by: Person | None, at: datetime) -> Entry:
    """The team asks an organizer to admit its draft. Errors: `NotThatStage`, `NotNow`."""
    entry = held_entry(entry, at)
    store(entry, submitted(entry, at))
    record(BOT_SUBMITTED, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key})
    return entry


@transaction.atomic
def admit_bot(*, entry: Entry, by: Person | None, at: datetime, void: Collection[int] = ()) -> Entry:
    """The draft takes part from now on; what the plan wants of it is drawn.

    Errors: `NotThatStage`, also where the campaign demands a report that is not there; `PlanTooLarge`, `NotNow`.
    """
    entry = held_entry(entry, at)
    store(entry, admitted(entry, entry.campaign.green_report_hours, by, at))
    changes = redraw(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    record(BOT_ADMITTED, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details=details)
    return entry


@transaction.atomic
def send_back_bot(*, entry: Entry, because: str, by: Person | None, at: datetime, void: Collection[int] = ()) -> Entry:
    """The bot is a draft again, which its team may change; what nobody has begun of it leaves the plan.

    Errors: `NotThatStage`, also without a reason; `NotNow`.
    """
    entry = held_entry(entry, at)
    store(entry, sent_back(entry, because, at))
    changes = redraw_smaller(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    named = {"campaign": entry.campaign.slug, "about": entry.alias, "because": entry.returned_because}
    record(BOT_SENT_BACK, by=by, at=at, details=details, **named)
    return entry


@transaction.atomic
def freeze_bot(*, entry: Entry, by: Person | None, at: datetime) -> Entry:
    """URL, protocol and options stay as they are from now on. Errors: `NotThatStage`, `NotNow`."""
    entry = held_entry(entry, at)
    store(entry, frozen(entry, entry.campaign, at))
    record(BOT_FROZEN, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key})
    return entry


def store(system: Model, columns: Columns) -> None:
    """Writes what an act sets of an entry or a service."""
    for name, value in columns.items():
        setattr(system, name, value)
    system.save(update_fields=list(columns))


def held_entry(entry: Entry, at: datetime) -> Entry:
    """The entry as it is now. Its campaign is held until the commit, as openings and drawings hold it.

    Errors: `NotNow` once the campaign ended.
    """
    refuse_if_ended(Campaign.objects.select_for_update(no_key=True).get(pk=entry.campaign_id), at)
    return Entry.objects.select_related("campaign", "bot__team").get(pk=entry.pk)
