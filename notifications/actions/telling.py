"""Stores what happened, with a delivery for each webhook and each person who wants to hear of it."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.models import trail_as_it_stands
from notifications.happenings import Happening, boards_since, decisions_waiting, lines_after, told_by
from notifications.models import Choice, Delivery, Event, Kind, Reading, Webhook
from notifications.pauses import next_digest

KEPT_FOR = timedelta(days=30)


def tell(*, at: datetime, decisions: bool) -> int:
    """Stores what happened since the last look, once whatever process looks; gives how much that was.

    `decisions` also looks for those that wait. A look that finds nothing writes nothing.
    """
    reading = reading_from(at=at)
    lines = lines_after(reading.line)
    found = [*_others(reading, at, decisions)]
    if not lines and not found:
        return 0
    with transaction.atomic():
        held = Reading.objects.select_for_update().get(pk=Reading.ONLY)
        # Another process was first: the next look goes on behind it.
        if held.line != reading.line:
            return 0
        found = [one for line in lines if (one := told_by(line))] + [*_others(held, at, decisions)]
        for happening in found:
            event, is_new = Event.objects.get_or_create(
                key=happening.key,
                defaults={"kind": happening.kind, "at": happening.at, "campaign": happening.campaign},
            )
            if is_new:
                Delivery.objects.bulk_create([*_to_webhooks(event, happening, at), *_to_people(event, happening, at)])
        if lines:
            held.line = lines[-1].number
            held.save(update_fields=["line"])
    return len(found)


def reading_from(*, at: datetime) -> Reading:
    """How far happenings are told; what happened before the first look is told to nobody."""
    reading = Reading.objects.filter(pk=Reading.ONLY).first()
    if reading is None:
        started = {"line": trail_as_it_stands()[1], "since": at}
        reading, _made = Reading.objects.get_or_create(pk=Reading.ONLY, defaults=started)
    return reading


def _others(reading: Reading, at: datetime, decisions: bool) -> Iterator[Happening]:
    yield from boards_since(reading.since, at)
    if decisions:
        yield from decisions_waiting(at)


def _to_webhooks(event: Event, happening: Happening, at: datetime) -> Iterator[Delivery]:
    if happening.campaign is not None:
        for webhook in Webhook.objects.in_use().filter(campaign=happening.campaign):
            if happening.kind in webhook.kinds:
                yield Delivery(event=event, webhook=webhook, path=happening.path, made_at=at, next_try_at=at)


def _to_people(event: Event, happening: Happening, at: datetime) -> Iterator[Delivery]:
    if not settings.HAS_MAIL:
        return
    for choice in Choice.objects.filter(person__in=happening.readers).exclude(mail=Choice.Mail.NONE):
        if happening.kind in choice.kinds:
            is_daily = choice.mail == Choice.Mail.DAILY
            due = next_digest(at, timezone.get_default_timezone()) if is_daily else at
            path = happening.readers[choice.person_id]
            yield Delivery(
                event=event, person_id=choice.person_id, path=path, made_at=at, next_try_at=due, is_of_digest=is_daily
            )


def drop_old_deliveries(*, at: datetime) -> int:
    """Deliveries that ended long ago, and events of tests; other events stay: they say what was told."""
    old = Delivery.objects.exclude(state=Delivery.State.WAITING).filter(ended_at__lt=at - KEPT_FOR)
    n_dropped = old.delete()[0] if old.exists() else 0
    if n_dropped:
        Event.objects.filter(kind=Kind.TEST, deliveries=None).delete()
    return n_dropped
