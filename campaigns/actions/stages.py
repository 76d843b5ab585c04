"""Admits, sends back, freezes, pauses, resumes and withdraws bots; the plan is drawn again where that changes it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import counts_of, redraw, redraw_smaller
from campaigns.actions.ended import refuse_if_ended
from campaigns.models import Campaign, Entry, PausedBy
from campaigns.planning.redrawing import Changes
from campaigns.reasons import reason_of
from campaigns.stages import Columns, admitted, frozen, sent_back, submitted
from campaigns.trail_acts import (
    BOT_ADMITTED,
    BOT_FROZEN,
    BOT_PAUSED,
    BOT_RESUMED,
    BOT_SENT_BACK,
    BOT_SUBMITTED,
    BOT_WITHDRAWN,
)


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


def held_entry(entry: Entry, at: datetime | None = None) -> Entry:
    """The entry as it is now. Its campaign is held until the commit, as openings and drawings hold it.

    Errors: `NotNow` once the campaign ended.
    """
    refuse_if_ended(Campaign.objects.held(entry.campaign_id), at)
    return Entry.objects.select_related("campaign", "bot__team").get(pk=entry.pk)


class CannotPause(Exception):
    """The bot was withdrawn: it has to be taken back first."""


@transaction.atomic
def pause_bot(*, entry: Entry, because: str, at: datetime, by: Person | None = None) -> Entry:
    """No dialogue with the bot can be opened until it is resumed; those that are open go on, the plan stays.

    Errors: `ReasonNeeded`, `NotNow`; `CannotPause` where the bot was withdrawn.
    """
    because, entry = reason_of(because), held_entry(entry, at)
    if entry.withdrawn_at is not None:
        raise CannotPause
    entry.paused_at, entry.paused_by, entry.paused_because = at, PausedBy.PERSON, because
    entry.save(update_fields=["paused_at", "paused_by", "paused_because"])
    record(BOT_PAUSED, by=by, at=at, because=entry.paused_because, details={"bot": entry.key}, **_named(entry))
    return entry


@transaction.atomic
def resume_bot(*, entry: Entry, because: str, void: Collection[int] = (), by: Person | None = None) -> Changes:
    """The bot can be talked to again. What a withdrawn bot had not begun is drawn again. Gives what was drawn.

    Errors: `ReasonNeeded`, `PlanTooLarge`, `NotNow`.
    """
    because, entry = reason_of(because), held_entry(entry)
    if entry.paused_at is None and entry.withdrawn_at is None:
        return Changes()
    entry.paused_at, entry.withdrawn_at, entry.paused_by, entry.paused_because = None, None, "", ""
    entry.resumed_at = timezone.now()
    entry.save(update_fields=["paused_at", "withdrawn_at", "paused_by", "paused_because", "resumed_at"])
    changes = redraw(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    record(BOT_RESUMED, by=by, because=because, details=details, **_named(entry))
    return changes


@transaction.atomic
def withdraw_bot(
    *, entry: Entry, because: str, at: datetime, void: Collection[int] = (), by: Person | None = None
) -> Changes:
    """Takes what has not begun of the bot out of the plan. Open dialogues go on; what was said and scored stays.

    Errors: `ReasonNeeded`, `NotNow`.
    """
    because, entry = reason_of(because), held_entry(entry, at)
    entry.withdrawn_at, entry.paused_because = at, because
    entry.save(update_fields=["withdrawn_at", "paused_because"])
    changes = redraw_smaller(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    record(BOT_WITHDRAWN, by=by, at=at, because=entry.paused_because, details=details, **_named(entry))
    return changes


def _named(entry: Entry) -> dict[str, Any]:
    """Of which campaign, and under which alias, the trail tells of the bot."""
    return {"campaign": entry.campaign.slug, "about": entry.alias}


FAILED_IN_A_ROW = gettext_noop("It failed several times in a row. It is asked again by itself until it answers.")


@transaction.atomic
def pause_failing_bot(*, entry_id: int, kind: str, at: datetime) -> bool:
    """Pauses a bot that nobody has paused; False where it may not be talked to already. `kind` is that of its last failure."""
    entry = _free(entry_id)
    if entry is None or not entry.can_be_talked_to:
        return False
    entry.paused_at, entry.paused_by, entry.paused_because = at, PausedBy.PLATFORM, FAILED_IN_A_ROW
    entry.save(update_fields=["paused_at", "paused_by", "paused_because"])
    details = {"bot": entry.key, "kind": kind}
    record(
        BOT_PAUSED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, because=FAILED_IN_A_ROW,
        details=details,
    )  # fmt: skip
    return True


@transaction.atomic
def resume_answering_bot(*, entry_id: int, at: datetime) -> bool:
    """Undoes the pause of the platform; False where somebody else decided about the bot meanwhile."""
    entry = _free(entry_id)
    if entry is None or entry.paused_by != PausedBy.PLATFORM:
        return False
    entry.paused_at, entry.paused_by, entry.resumed_at = None, "", at
    # Of a bot that was withdrawn since, the reason stays.
    entry.paused_because = entry.paused_because if entry.withdrawn_at else ""
    entry.save(update_fields=["paused_at", "paused_by", "paused_because", "resumed_at"])
    record(
        BOT_RESUMED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key}
    )  # fmt: skip
    return True


def _free(entry_id: int) -> Entry | None:
    """The entry, held until the commit; None while somebody else holds it.

    The writer's transaction waits for nobody here: it may hold the trail already, which comes last everywhere else.
    """
    held = Entry.objects.select_for_update(of=("self",), skip_locked=True, no_key=True)
    return held.select_related("campaign").filter(pk=entry_id).first()
