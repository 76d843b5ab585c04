"""Queues, leases and stores the checks of bots and their fingerprints."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, OuterRef, Subquery

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from campaigns.actions.stages import held_entry
from campaigns.models import Campaign, Entry
from conformance.actions.comparing import (
    ASKS_BY_ITSELF,
    begin_print,
    goes_on_until,
    is_print_due,
    store_answers,
    take_as_reference,
)
from conformance.actions.leases import ADDRESS, CannotCheck, claim, end, refuse_unless_checkable
from conformance.acts import BOT_CHANGE_ACCEPTED, BOT_CHANGED, BOT_CHECK_ASKED, BOT_CHECKED
from conformance.models import Check, CheckQuerySet, CheckState, Fingerprint
from conformance.print_times import limit_of_bot_s, over_after
from conformance.results import Result, is_green, verdict_of
from reading.findings import Finding
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


def claim_fingerprint(at: datetime) -> Fingerprint | None:
    """The next fingerprint that is due, begun in this name; None where none is. Whose latest is oldest comes first: bots that
    hang must not keep all others from being asked.

    Only campaigns that freeze, admit, or say when testing begins ask bots anything by themselves, until testing is over.
    """
    campaigns = Campaign.objects.filter(ASKS_BY_ITSELF & goes_on_until("testing_until", at))
    asked = Entry.objects.with_address().filter(campaign__in=campaigns)
    latest = Fingerprint.objects.filter(entry=OuterRef("pk")).values("taken_at")[:1]
    longest_first = asked.annotate(latest_at=Subquery(latest)).order_by(F("latest_at").asc(nulls_first=True), "pk")
    for entry in longest_first.select_related("campaign"):
        if is_due(entry, entry.campaign, at) and (begun := _begin(entry, at)) is not None:
            return begun
    return None


def is_due(entry: Entry, campaign: Campaign, at: datetime) -> bool:
    """At admission, every 24 hours, and when testing begins; after a failure again soon, or a changed bot has a day."""
    longest = over_after(limit_of_bot_s(campaign.reply_deadline_s, entry.parallel))
    return is_print_due(entry, (campaign.testing_from, entry.admitted_at), at, longest)


@transaction.atomic
def _begin(entry: Entry, at: datetime) -> Fingerprint | None:
    """None where another process was quicker."""
    held = Entry.objects.select_for_update(no_key=True).select_related(None).get(pk=entry.pk)
    campaign = Campaign.objects.get(pk=entry.campaign_id)
    if not is_due(held, campaign, at):
        return None
    begun = begin_print(held, at)
    return Fingerprint.objects.select_related("entry__campaign", "entry__bot__team").get(pk=begun.pk)


@transaction.atomic
def finish_fingerprint(
    *,
    begun: Fingerprint,
    answers: Sequence[Sequence[str]],
    version: str = "",
    failure: Finding | None = None,
    at: datetime,
) -> Fingerprint:
    """Stores the answers; the first ones since the admission are those that all later ones are compared with."""
    entry = begun.entry
    if store_answers(begun, answers, version, failure):
        details = {"bot": entry.key, "questions": len(begun.differs)}
        if begun.is_other_version:
            details["version"] = begun.version
        record(BOT_CHANGED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, details=details)
    return begun


@transaction.atomic
def accept_change(*, entry: Entry, by: Person | None, at: datetime) -> None:
    """The organizer takes the bot as it is now: later fingerprints are compared with this one.

    Errors: `NotThatStage`, `NotNow`.
    """
    entry = held_entry(entry, at)
    take_as_reference(entry)
    details = {"bot": entry.key}
    record(BOT_CHANGE_ACCEPTED, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details=details)
