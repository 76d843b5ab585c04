"""Asks for checks of bots, takes them up, and makes a bot green by what they find."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from campaigns.models import Entry
from conformance.actions.leases import ADDRESS, CannotCheck, claim, end, refuse_unless_checkable
from conformance.acts import BOT_CHECK_ASKED, BOT_CHECKED
from conformance.models import Check, CheckQuerySet, CheckState
from conformance.results import Result, is_green, verdict_of
from reading.strict_json import are_same


@transaction.atomic
def ask_check(*, entry: Entry, by: Person | None, at: datetime) -> Check:
    """The check waits for a worker. Errors: `CannotCheck`, `NotNow` once the campaign ended."""
    refuse_if_ended(entry.campaign, at)
    if entry.withdrawn_at is None and not entry.has_address:
        raise CannotCheck("no_address")
    refuse_unless_checkable(entry, at)
    try:
        with transaction.atomic():
            address = {name: getattr(entry, name) for name in ADDRESS}
            check = Check.objects.create(entry=entry, asked_by=by, asked_at=at, **address)
    except IntegrityError as taken:
        # Two people at the same time: the constraint lets one of them through.
        raise CannotCheck("checking") from taken
    record(BOT_CHECK_ASKED, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key})
    return check


def checks_of_bots() -> CheckQuerySet:
    """With what a worker needs of the bot."""
    checks: CheckQuerySet = Check.objects.select_related("entry__campaign", "entry__bot__team")
    return checks


def claim_check(*, worker: str, at: datetime) -> Check | None:
    """The check of a bot whose turn it is, now this worker's."""
    claimed: Check | None = claim(checks_of_bots(), team="entry__bot__team", worker=worker, at=at)
    return claimed


@transaction.atomic
def end_check(*, check: Check, worker: str, results: Sequence[Result], at: datetime) -> bool:
    """Stores the report; the bot is green from now on or no longer, unless it has another address or other options by now.

    A report that the platform could not finish, and in which nothing failed, changes nothing about the bot.
    """
    ended = end(check=check, worker=worker, results=results, at=at)
    if ended != CheckState.DONE:
        return ended is not None
    verdict = verdict_of(results)
    # Held until the commit: a change that comes in between would leave the bot green for what it was.
    entry = Entry.objects.select_for_update(no_key=True).get(pk=check.entry_id)
    if all(are_same(getattr(entry, name), getattr(check, name)) for name in ADDRESS):
        entry.green_at = at if is_green(verdict) else None
        entry.save(update_fields=["green_at"])
    details = {"bot": check.entry.key, "verdict": str(verdict)}
    record(BOT_CHECKED, by=None, at=at, campaign=check.entry.campaign.slug, about=check.entry.alias, details=details)
    return True
