"""Pauses, resumes and withdraws bots; the plan is drawn again where that changes it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import counts_of, redraw, redraw_smaller
from campaigns.actions.ended import refuse_if_ended
from campaigns.acts import BOT_PAUSED, BOT_RESUMED, BOT_WITHDRAWN
from campaigns.models import Campaign, Entry, PausedBy
from campaigns.reasons import reason_of
from campaigns.redrawing import Changes


class CannotPause(Exception):
    """The bot was withdrawn: it has to be taken back first."""


@transaction.atomic
def pause_bot(*, entry: Entry, because: str, at: datetime, by: Person | None = None) -> Entry:
    """No dialogue with the bot can be opened until it is resumed; those that are open go on, the plan stays.

    Errors: `ReasonNeeded`, `NotNow`; `CannotPause` where the bot was withdrawn.
    """
    because, entry = reason_of(because), _held(entry, at)
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
    because, entry = reason_of(because), _held(entry)
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
    because, entry = reason_of(because), _held(entry, at)
    entry.withdrawn_at, entry.paused_because = at, because
    entry.save(update_fields=["withdrawn_at", "paused_because"])
    changes = redraw_smaller(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    record(BOT_WITHDRAWN, by=by, at=at, because=entry.paused_because, details=details, **_named(entry))
    return changes


def _named(entry: Entry) -> dict[str, Any]:
    """Of which campaign, and under which alias, the trail tells of the bot."""
    return {"campaign": entry.campaign.slug, "about": entry.alias}


def _held(entry: Entry, at: datetime | None = None) -> Entry:
    """The entry as it is now. Its campaign is held until the commit, as openings hold it: none comes in between.

    Errors: `NotNow`.
    """
    refuse_if_ended(Campaign.objects.select_for_update(no_key=True).get(pk=entry.campaign_id), at)
    return Entry.objects.select_related("campaign").get(pk=entry.pk)
