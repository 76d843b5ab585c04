"""Takes fingerprints when they are due, compares them with that of the admission, and says on the trail that a bot changed."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from accounts.models import Person
from audit.actions import record
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
from conformance.acts import BOT_CHANGE_ACCEPTED, BOT_CHANGED
from conformance.models import Fingerprint
from conformance.print_times import limit_of_bot_s, over_after
from reading.findings import Finding


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
