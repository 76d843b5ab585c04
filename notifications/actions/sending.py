"""Takes up deliveries, and stores what became of them.

A delivery is taken up by one process, by a conditional update that also says when the next try may begin. If the process dies
before it stores the outcome, that moment comes, and the message goes out again under the same id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import Person
from notifications.models import OF_THE_SITE, Choice, ConfirmedAddress, Delivery
from notifications.pauses import MAIL_TAKES_AT_MOST, TRIES_AT_MOST, next_digest, pause_after
from reading.findings import Finding, sentence

AT_ONCE = 20
LINES_PER_DIGEST = 200

NOT_HEARD_OF = gettext_noop("The process that sent it ended before it noted an answer.")
WEBHOOK_REMOVED = gettext_noop("The webhook was removed.")
NO_ADDRESS = gettext_noop("The person has no confirmed address any more.")
NO_STAFF = gettext_noop("The person is no longer of the staff.")
MAIL_SENT = gettext_noop("The mail server took it.")


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail: a message, or a digest of several. `id` is the same at each try."""

    id: UUID
    person: Person
    deliveries: Sequence[Delivery]


def take_posts(*, at: datetime) -> list[Delivery]:
    """Deliveries to webhooks that are due, now this process's to try."""
    due = Delivery.objects.due(at).filter(webhook__isnull=False).select_related("webhook__campaign", "event__campaign")
    return [one for one in due[:AT_ONCE] if _may_be_sent(one, at) and _take(one, at)]


def take_mail(*, at: datetime) -> Mail | None:
    """The next mail that is due, now this process's to try; None where there is none."""
    due = Delivery.objects.due(at).filter(person__isnull=False).select_related("person", "event__campaign")
    for one in due[:AT_ONCE]:
        if not _may_be_sent(one, at):
            continue
        if one.is_of_digest:
            mail = _digest_taken(_receiver(one), at)
        else:
            mail = Mail(one.pk, _receiver(one), [one]) if _take(one, at) else None
        if mail is not None:
            return mail
    return None


def _receiver(delivery: Delivery) -> Person:
    assert delivery.person is not None, "mails are of deliveries to people"
    return delivery.person


@transaction.atomic
def _digest_taken(person: Person, at: datetime) -> Mail | None:
    """The person's digest, now this process's to try; None where another took it, or the person had one today."""
    # Held until the commit: lines of one digest taken by two would be two mails under one id.
    choice = Choice.objects.select_for_update().filter(person=person).first()
    clocks = timezone.get_default_timezone()
    due = Delivery.objects.due(at).filter(person=person, is_of_digest=True).select_related("person", "event__campaign")
    if choice and choice.digest_at and choice.digest_at.astimezone(clocks).date() >= at.astimezone(clocks).date():
        Delivery.objects.filter(pk__in=[one.pk for one in due]).update(next_try_at=next_digest(at, clocks))
        return None
    first = due.first()
    if first is None:
        return None
    if first.digest is None:
        mates = [one.pk for one in due.filter(digest=None)[:LINES_PER_DIGEST]]
        Delivery.objects.filter(pk__in=mates).update(digest=first.pk)
    digest = first.digest or first.pk
    together = [one for one in due.filter(digest=digest) if _take(one, at)]
    return Mail(digest, person, together) if together else None


def _may_be_sent(delivery: Delivery, at: datetime) -> bool:
    """Ends what has no receiver any more, and what was tried too often by processes that died."""
    if delivery.webhook is not None and delivery.webhook.removed_at is not None:
        why = WEBHOOK_REMOVED
    elif delivery.person is not None and address_of(delivery.person) is None:
        why = NO_ADDRESS
    elif delivery.person is not None and delivery.event.kind in OF_THE_SITE and not delivery.person.is_staff:
        why = NO_STAFF
    elif delivery.n_tries >= TRIES_AT_MOST:
        why = NOT_HEARD_OF
    else:
        return True
    note_failed(deliveries=[delivery], why=sentence(why), at=at, is_final=True)
    return False


def address_of(person: Person) -> str | None:
    """Where the person gets mail: the address of the account, once it is confirmed."""
    confirmed = ConfirmedAddress.objects.filter(person=person, address=person.email).exclude(confirmed_at=None)
    return person.email if person.is_active and person.email and confirmed.exists() else None


def _take(delivery: Delivery, at: datetime) -> bool:
    """The first to change the row has it: the others match nothing any more."""
    n_tries = delivery.n_tries + 1
    same = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING, next_try_at=delivery.next_try_at)
    pause = pause_after(n_tries) if delivery.person_id is None else max(pause_after(n_tries), MAIL_TAKES_AT_MOST)
    taken = same.update(n_tries=n_tries, next_try_at=at + pause)
    delivery.n_tries = n_tries
    return bool(taken)


def note_sent(*, deliveries: Sequence[Delivery], answer: Finding, at: datetime) -> None:
    waiting = Delivery.objects.filter(pk__in=[one.pk for one in deliveries], state=Delivery.State.WAITING)
    waiting.update(state=Delivery.State.SENT, answer=answer.to_json(), ended_at=at)
    if deliveries[0].is_of_digest:
        Choice.objects.filter(person=deliveries[0].person).update(digest_at=at)


def note_failed(*, deliveries: Sequence[Delivery], why: Finding, at: datetime, is_final: bool = False) -> None:
    """Another try follows, unless this was the last, or `is_final`."""
    waiting = Delivery.objects.filter(pk__in=[one.pk for one in deliveries], state=Delivery.State.WAITING)
    waiting.update(answer=why.to_json())
    ended = waiting if is_final else waiting.filter(n_tries__gte=TRIES_AT_MOST)
    ended.update(state=Delivery.State.FAILED, ended_at=at)
