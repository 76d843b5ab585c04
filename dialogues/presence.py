"""Which testers have a console open in which server process."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Max, Q

from accounts.models import Person

# A process says so often that its testers are there; one that has said nothing for longer has ended.
BEAT = timedelta(seconds=10)
LOST_AFTER = 3 * BEAT


class Presence(models.Model):
    """A tester whose console was open in that process until `seen_at`, and is open if `is_there` and the process lives."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="presences")
    process = models.CharField(max_length=120)
    seen_at = models.DateTimeField()
    is_there = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "process"], name="presence_once")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.process}"


@dataclass(frozen=True, slots=True)
class Present:
    """By user name: who is there, and when each was last seen."""

    online: frozenset[str] = frozenset()
    seen_at: dict[str, datetime] = field(default_factory=dict)


def present_among(people: Collection[int], at: datetime) -> Present:
    """Of those people; one query."""
    is_online = Max("seen_at", filter=Q(is_there=True, seen_at__gt=at - LOST_AFTER))
    rows = Presence.objects.filter(person__in=people).order_by().values_list("person__username")
    found = list(rows.annotate(last=Max("seen_at"), there=is_online))
    return Present(
        online=frozenset(name for name, _, there in found if there), seen_at={name: last for name, last, _ in found}
    )
