"""What a server process writes about itself (its beat, which other machines watch) and about dead workers (their leases end)."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from serving.models import ProcessBeat
from serving.processes import this_place
from serving.versions import code_version

FORGOTTEN_AFTER = timedelta(days=1)


def beat(name: str) -> Mapping[str, int | None]:
    """One more beat of the process; gives the beats of all, None for one that has ended in good order."""
    if not ProcessBeat.objects.filter(name=name).update(n_beats=F("n_beats") + 1, seen_at=Now()):
        ProcessBeat.objects.filter(seen_at__lt=Now() - FORGOTTEN_AFTER).delete()
        ProcessBeat.objects.create(
            name=name,
            place=this_place(),
            version=code_version(),
            has_redis=bool(settings.REDIS_URL),
            key_digest=key_digest(),
            seen_at=Now(),
        )
    rows = ProcessBeat.objects.values_list("name", "n_beats", "has_ended")
    return {one: None if has_ended else n_beats for one, n_beats, has_ended in rows}


def end_beat(name: str) -> None:
    ProcessBeat.objects.filter(name=name).update(has_ended=True, seen_at=Now())


def key_digest() -> str:
    """Tells whether two machines have the same secret key, and nothing else of it."""
    return salted_hmac("serving.machines", "key").hexdigest()[:16]


def end_leases(running: QuerySet[Any], *, is_dead: Callable[[str], bool], at: datetime) -> int:
    """Ends the leases of workers that are known to be gone, so that nobody waits for them to run out."""
    dead = [name for name in set(running.values_list("worker", flat=True)) if is_dead(name)]
    return running.filter(worker__in=dead).update(lease_until=at - timedelta(microseconds=1))
