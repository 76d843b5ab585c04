"""Adds a line to the trail."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.utils import timezone

from audit.acts import Act
from audit.chain import Line, hash_of
from audit.models import TrailHead, TrailLine


class Actor(Protocol):
    """A person with an account."""

    @property
    def pk(self) -> Any: ...
    @property
    def username(self) -> Any: ...


def record(
    act: Act,
    *,
    by: Actor | None,
    at: datetime | None = None,
    campaign: str = "",
    about: str = "",
    because: str = "",
    details: Mapping[str, Any] | None = None,
) -> TrailLine:
    """Adds the act to the trail, in the transaction of what it records; `by` is None for a command and for the platform.

    Without `at` it was done now.

    Comes last in its transaction: the head of the trail is held from here to the commit, and whoever waited for
    another row meanwhile could wait for ever.
    Errors: `TransactionManagementError` outside of a transaction, where the act could be stored without its line.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError(f"{act.key} is recorded outside of a transaction.")
    head = _held_head()
    line = Line(
        number=head.n_lines + 1,
        at=at or timezone.now(),
        person_id=by.pk if by else None,
        person=by.username if by else "",
        act=act.key,
        campaign=campaign,
        about=about,
        because=because,
        details=dict(details or {}),
    )
    stored = TrailLine.objects.create(
        **{name: getattr(line, name) for name in Line.__slots__}, previous=head.hash, hash=hash_of(line, head.hash)
    )
    head.n_lines, head.hash = stored.number, stored.hash
    head.save(update_fields=["n_lines", "hash"])
    return stored


def _held_head() -> TrailHead:
    """The head of the trail, held until the commit; made by whoever adds the first line."""
    held = TrailHead.objects.select_for_update()
    head = held.filter(pk=TrailHead.ONLY).first()
    if head is None:
        TrailHead.objects.get_or_create(pk=TrailHead.ONLY)
        head = held.get(pk=TrailHead.ONLY)
    return head
