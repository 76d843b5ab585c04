"""Pauses, resumes and withdraws bots, and dismisses people; the plan is drawn again where that changes it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import counts_of, redraw
from campaigns.actions.ended import refuse_if_ended
from campaigns.acts import BOT_PAUSED, BOT_RESUMED, BOT_WITHDRAWN, PERSON_DISMISSED
from campaigns.models import Campaign, Entry, Role
from campaigns.redrawing import Changes


class ReasonNeeded(Exception):
    """Testers are told why a bot pauses, and everybody later why it was withdrawn."""


class CannotPause(Exception):
    """The bot was withdrawn: it has to be taken back first."""


@transaction.atomic
def pause_bot(*, entry: Entry, because: str, at: datetime, by: Person | None = None) -> Entry:
    """No dialogue with the bot can be opened until it is resumed; those that are open go on, the plan stays.

    Errors: `ReasonNeeded`, `NotNow`; `CannotPause` where the bot was withdrawn.
    """
    entry = _held(entry, because, at)
    if entry.withdrawn_at is not None:
        raise CannotPause
    entry.paused_at, entry.paused_because = at, because.strip()
    entry.save(update_fields=["paused_at", "paused_because"])
    record(BOT_PAUSED, by=by, at=at, because=entry.paused_because, details={"bot": entry.key}, **_named(entry))
    return entry


@transaction.atomic
def resume_bot(*, entry: Entry, void: Collection[int] = (), by: Person | None = None) -> Changes:
    """The bot can be talked to again. What a withdrawn bot had not begun is drawn again. Gives what was drawn.

    Errors: `NotNow`.
    """
    entry = _held(entry, "resumed")
    if entry.paused_at is None and entry.withdrawn_at is None:
        return Changes()
    entry.paused_at, entry.withdrawn_at, entry.paused_because = None, None, ""
    entry.save(update_fields=["paused_at", "withdrawn_at", "paused_because"])
    changes = redraw(entry.campaign, void)
    record(BOT_RESUMED, by=by, details={"bot": entry.key} | counts_of(changes), **_named(entry))
    return changes


@transaction.atomic
def withdraw_bot(
    *, entry: Entry, because: str, at: datetime, void: Collection[int] = (), by: Person | None = None
) -> Changes:
    """Takes what has not begun of the bot out of the plan. Open dialogues go on; what was said and scored stays.

    Errors: `ReasonNeeded`, `NotNow`.
    """
    entry = _held(entry, because, at)
    entry.withdrawn_at, entry.paused_because = at, because.strip()
    entry.save(update_fields=["withdrawn_at", "paused_because"])
    changes = redraw(entry.campaign, void)
    details = {"bot": entry.key} | counts_of(changes)
    record(BOT_WITHDRAWN, by=by, at=at, because=entry.paused_because, details=details, **_named(entry))
    return changes


@transaction.atomic
def dismiss_person(
    *, campaign: Campaign, person: Person, role: Role, void: Collection[int] = (), by: Person | None = None
) -> Changes:
    """Takes a role back; what a tester had not begun is drawn for others. Their dialogues and scores stay.

    Errors: `NotNow`.
    """
    refuse_if_ended(Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk))
    n_roles, _deleted = campaign.roles.filter(person=person, role=role).delete()
    changes = redraw(campaign, void) if role == Role.TESTER else Changes()
    if n_roles or changes:
        details = {"role": str(role)} | counts_of(changes)
        record(PERSON_DISMISSED, by=by, campaign=campaign.slug, about=person.username, details=details)
    return changes


def _named(entry: Entry) -> dict[str, Any]:
    """Of which campaign, and under which alias, the trail tells of the bot."""
    return {"campaign": entry.campaign.slug, "about": entry.alias}


def _held(entry: Entry, because: str, at: datetime | None = None) -> Entry:
    """The entry as it is now. Its campaign is held until the commit, as openings hold it: none comes in between.

    Errors: `ReasonNeeded`, `NotNow`.
    """
    if not because.strip():
        raise ReasonNeeded
    refuse_if_ended(Campaign.objects.select_for_update(no_key=True).get(pk=entry.campaign_id), at)
    return Entry.objects.select_related("campaign").get(pk=entry.pk)
