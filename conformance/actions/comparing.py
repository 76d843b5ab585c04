"""The fingerprints of any subject, an entry or a service: when one is due, and how it compares with that of the admission."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from campaigns.stages import NotThatStage
from conformance.fingerprints import changed_questions, is_other_version
from conformance.models import AnyFingerprint, samples_of
from reading.findings import Finding

AGAIN_AFTER = timedelta(hours=24)
# After one that failed, or that nobody finished: its process ended meanwhile. Twice as long each time, up to a day.
TRIED_AGAIN_AFTER = timedelta(minutes=10)
# Other campaigns have no day: their systems would get calls that nobody asked for, without an end.
ASKS_BY_ITSELF = Q(frozen_at__isnull=False) | Q(testing_from__isnull=False) | Q(admission="organizer")


def goes_on_until(last: str, at: datetime) -> Q:
    """Of campaigns: neither the end nor that date, if they have one, is over."""
    return (Q(ends_at=None) | Q(ends_at__gte=at)) & (Q(**{last: None}) | Q(**{f"{last}__gte": at}))


def is_print_due(subject: Any, moments: Iterable[datetime | None], at: datetime, longest: timedelta) -> bool:
    """Where none was taken of this address or since one of the moments, every 24 hours, and soon after a failure.

    Not while one is being taken, which may last as long as `longest`: two processes must not ask at the same time.
    """
    latest = subject.fingerprints.first()
    if latest is None or not latest.is_of_address_of(subject):
        return True
    if latest.has_failed and latest.taken_at <= at - max(pause_after(latest.n_tries), longest):
        return True
    if latest.is_under_way:
        return False
    since = [latest.taken_at + AGAIN_AFTER, *moments]
    return any(moment is not None and latest.taken_at < moment <= at for moment in since)


def pause_after(n_tries: int) -> timedelta:
    """How long after so many tries that failed the next one comes."""
    # Eight times doubled is over a day already; more would only make a number that nothing can hold.
    return min(AGAIN_AFTER, TRIED_AGAIN_AFTER * 2 ** min(n_tries - 1, 8))


def begin_print(held: Any, at: datetime) -> Any:
    """The row of the try before, if that failed, else one of its own; `held` is locked and due."""
    begun = held.fingerprints.first()
    if begun is not None and begun.has_failed and begun.is_of_address_of(held):
        begun.taken_at, begun.failure, begun.n_tries = at, [], begun.n_tries + 1
        begun.save(update_fields=["taken_at", "failure", "n_tries"])
        return begun
    return held.fingerprints.create(taken_at=at, protocol=held.protocol, url=held.url)


def store_answers(
    begun: AnyFingerprint, answers: Sequence[Sequence[str]], version: str, failure: Finding | None
) -> bool:
    """Stores them compared with those of the admission; whether the subject has changed since the fingerprint before.

    What comes so late that another process has begun the fingerprint anew is not stored.
    """
    tried = type(begun)._default_manager.filter(pk=begun.pk, taken_at=begun.taken_at, n_tries=begun.n_tries)
    # Held until the commit: nobody begins it anew while it is stored.
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


def take_as_reference(subject: Any) -> None:
    """Later fingerprints are compared with the latest one. Errors: `NotThatStage` where it shows no change."""
    changed = change_of(subject)
    if changed is None:
        raise NotThatStage("not_changed")
    subject.fingerprints.filter(is_reference=True).update(is_reference=False)
    subject.fingerprints.filter(pk=changed.pk).update(is_reference=True, differs=[], is_other_version=False)
