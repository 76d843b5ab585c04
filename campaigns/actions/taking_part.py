"""Pauses, resumes and withdraws bots, and dismisses people; the plan is drawn again where that changes it."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from campaigns.actions.assigning import draw_assignments
from campaigns.models import Campaign, Entry, Role
from campaigns.redrawing import Changes


class ReasonNeeded(Exception):
    """Testers are told why a bot pauses, and everybody later why it was withdrawn."""


class CannotPause(Exception):
    """The bot was withdrawn: it has to be taken back first."""


@transaction.atomic
def pause_bot(*, entry: Entry, because: str, at: datetime) -> Entry:
    """No dialogue with the bot can be opened until it is resumed; those that are open go on, the plan stays.

    Errors: `ReasonNeeded`; `CannotPause` where the bot was withdrawn.
    """
    entry = _held(entry, because)
    if entry.withdrawn_at is not None:
        raise CannotPause
    entry.paused_at, entry.paused_because = at, because.strip()
    entry.save(update_fields=["paused_at", "paused_because"])
    return entry


@transaction.atomic
def resume_bot(*, entry: Entry, void: Collection[int] = ()) -> Changes:
    """The bot can be talked to again. What a withdrawn bot had not begun is drawn again. Gives what was drawn."""
    entry = _held(entry, "resumed")
    entry.paused_at, entry.withdrawn_at, entry.paused_because = None, None, ""
    entry.save(update_fields=["paused_at", "withdrawn_at", "paused_because"])
    return draw_assignments(campaign=entry.campaign, void=void)


@transaction.atomic
def withdraw_bot(*, entry: Entry, because: str, at: datetime, void: Collection[int] = ()) -> Changes:
    """Takes what has not begun of the bot out of the plan. Open dialogues go on; what was said and scored stays.

    Errors: `ReasonNeeded`.
    """
    entry = _held(entry, because)
    entry.withdrawn_at, entry.paused_because = at, because.strip()
    entry.save(update_fields=["withdrawn_at", "paused_because"])
    return draw_assignments(campaign=entry.campaign, void=void)


@transaction.atomic
def dismiss_person(*, campaign: Campaign, person: Person, role: Role, void: Collection[int] = ()) -> Changes:
    """Takes a role back; what a tester had not begun is drawn for others. Their dialogues and scores stay."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    campaign.roles.filter(person=person, role=role).delete()
    if role != Role.TESTER:
        return Changes()
    return draw_assignments(campaign=campaign, void=void)


def _held(entry: Entry, because: str) -> Entry:
    """The entry as it is now. Its campaign is held until the commit, as openings hold it: none comes in between."""
    if not because.strip():
        raise ReasonNeeded
    Campaign.objects.select_for_update(no_key=True).get(pk=entry.campaign_id)
    return Entry.objects.select_related("campaign").get(pk=entry.pk)
