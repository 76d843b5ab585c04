"""The fingerprints of systems: when one is due, taken and stored, and how it compares with that of the admission."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from accounts.models import Person
from audit.actions import record
from campaigns.actions.changing import note_changed_scores
from campaigns.actions.ended import refuse_if_ended
from campaigns.models import Campaign
from campaigns.stages import NotThatStage
from conformance.canary_calls import over_after
from conformance.change_detection import changed_questions, is_other_version
from conformance.models import AnyFingerprint, samples_of
from conformance.system_kinds import SystemKind
from reading.findings import Finding

AGAIN_AFTER = timedelta(hours=24)
# After one that failed, or that nobody finished: its process ended meanwhile. Twice as long each time, up to a day.
TRIED_AGAIN_AFTER = timedelta(minutes=10)


def claim_fingerprint(kind: SystemKind, *, at: datetime) -> Any:
    """The next fingerprint that is due, begun in this name; None where none is. Whose latest is oldest comes first: systems that
    hang must not keep all others from being asked.
    """
    taken = kind.fingerprints._default_manager.filter(**{kind.column: OuterRef("pk")})
    asked = kind.asked_unbidden(at).annotate(latest_at=Subquery(taken.values("taken_at")[:1]))
    longest_first = asked.order_by(F("latest_at").asc(nulls_first=True), "pk")
    for system in longest_first.select_related(*kind.related):
        if is_print_due(kind, system, at) and (begun := _begin(kind, system, at)) is not None:
            return begun
    return None


def is_print_due(kind: SystemKind, system: Any, at: datetime) -> bool:
    """Where none was taken of this address or since one of the kind's moments, every 24 hours, and soon after a failure.

    Not while one is being taken, however long that may last: two processes must not ask at the same time.
    """
    latest, longest = system.fingerprints.first(), over_after(kind.limits_of(system).print_s)
    if latest is None or not latest.is_of_address_of(system):
        return True
    if latest.has_failed and latest.taken_at <= at - max(pause_after(latest.n_tries), longest):
        return True
    if latest.is_under_way:
        return False
    since = [latest.taken_at + AGAIN_AFTER, *kind.moments(system)]
    return any(moment is not None and latest.taken_at < moment <= at for moment in since)


def pause_after(n_tries: int) -> timedelta:
    """The pause after N failed tries."""
    # Eight times doubled is over a day already; more would only make a number that nothing can hold.
    return min(AGAIN_AFTER, TRIED_AGAIN_AFTER * 2 ** min(n_tries - 1, 8))


@transaction.atomic
def _begin(kind: SystemKind, system: Any, at: datetime) -> Any:
    """The row of the try before, if that failed, else a new one; None where another process was quicker."""
    held = kind.held(system)
    if not is_print_due(kind, held, at):
        return None
    begun = held.fingerprints.first()
    if begun is not None and begun.has_failed and begun.is_of_address_of(held):
        begun.taken_at, begun.failure, begun.n_tries = at, [], begun.n_tries + 1
        begun.save(update_fields=["taken_at", "failure", "n_tries"])
        return begun
    return held.fingerprints.create(taken_at=at, protocol=held.protocol, url=held.url)


@transaction.atomic
def finish_fingerprint(
    kind: SystemKind,
    *,
    begun: Any,
    answers: Sequence[Sequence[str]],
    version: str = "",
    failure: Finding | None = None,
    at: datetime,
) -> Any:
    """Stores the answers; the first ones since the admission are those that all later ones are compared with."""
    system = begun.subject
    # The campaign before the fingerprint, as acts on systems hold them.
    campaign = Campaign.objects.held(system.campaign.pk)
    if _store_answers(begun, answers, version, failure):
        about, named = kind.described(system)
        details = {**named, kind.counted: len(begun.differs)}
        if begun.is_other_version:
            details["version"] = begun.version
        # Boards note the change, and split the system's figures there.
        note_changed_scores(campaign=campaign)
        record(kind.acts.changed, by=None, at=at, campaign=campaign.slug, about=about, details=details)
    return begun


@transaction.atomic
def accept_change(kind: SystemKind, *, system: Any, by: Person | None, at: datetime) -> None:
    """The organizer takes the system as it is now: later fingerprints are compared with the latest one.

    Errors: `NotThatStage` where it shows no change, `NotNow` once the campaign ended.
    """
    # The campaign before the system, as openings and drawings hold them.
    refuse_if_ended(Campaign.objects.held(system.campaign.pk), at)
    system = kind.held(system)
    changed = change_of(system)
    if changed is None:
        raise NotThatStage("not_changed")
    system.fingerprints.filter(is_reference=True).update(is_reference=False)
    system.fingerprints.filter(pk=changed.pk).update(is_reference=True, differs=[], is_other_version=False)
    about, details = kind.described(system)
    record(kind.acts.change_accepted, by=by, at=at, campaign=system.campaign.slug, about=about, details=details)


def _store_answers(
    begun: AnyFingerprint, answers: Sequence[Sequence[str]], version: str, failure: Finding | None
) -> bool:
    """Stores them compared with those of the admission; whether the subject has changed since the fingerprint before.

    A result that comes after another process restarted the fingerprint is not stored.
    """
    tried = type(begun)._default_manager.filter(pk=begun.pk, taken_at=begun.taken_at, n_tries=begun.n_tries)
    # Held until the commit: no process restarts it while it is stored.
    if tried.select_for_update().first() is None:
        return False
    subject = begun.subject
    begun.answers, begun.version = [list(samples) for samples in answers], version[:200]
    begun.failure = failure.to_json() if failure else []
    reference = reference_of(subject)
    before = subject.fingerprints.exclude(pk=begun.pk).filter(failure=[]).first()
    if reference is None:
        begun.is_reference = not failure
    elif not failure:
        begun.differs = changed_questions(samples_of(reference.answers), answers)
        begun.is_other_version = is_other_version(reference.version, begun.version)
    begun.save(update_fields=["answers", "version", "failure", "is_reference", "differs", "is_other_version"])
    return begun.is_changed and not (before is not None and before.is_changed)


def reference_of(subject: Any) -> Any:
    """The fingerprint of the admission, of the address that the subject has now; None before it is taken."""
    taken = subject.fingerprints.filter(is_reference=True, url=subject.url, protocol=subject.protocol)
    if subject.admitted_at is not None:
        taken = taken.filter(taken_at__gte=subject.admitted_at)
    return taken.first()


def change_of(subject: Any) -> Any:
    """The fingerprint that shows the subject changed; None where the latest that was taken does not."""
    latest = subject.fingerprints.filter(failure=[]).exclude(answers=[]).first()
    return latest if latest is not None and latest.is_changed else None
