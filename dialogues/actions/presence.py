"""Notes which testers a server process sees."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from dialogues.presence import Presence

FORGOTTEN_AFTER = timedelta(days=2)


@transaction.atomic
def note_presence(*, process: str, there: Collection[int], left: Collection[int], at: datetime) -> None:
    """Those people have a console open in the process now; the others had one until now."""
    rows = [Presence(person_id=person, process=process, seen_at=at, is_there=True) for person in sorted(there)]
    rows += [Presence(person_id=person, process=process, seen_at=at, is_there=False) for person in sorted(left)]
    Presence.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["person", "process"], update_fields=["seen_at", "is_there"]
    )
    if left:
        Presence.objects.filter(seen_at__lt=at - FORGOTTEN_AFTER).delete()
