"""Adds a line to the trail, and erases texts of earlier ones."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.utils import timezone

from audit.chain import ERASING, TEXTS, Line, digest_of_text, hash_of, new_salts
from audit.models import TrailHead, TrailLine, TrailLineQuerySet
from audit.trail_acts import TrailAct


class Actor(Protocol):
    """A person with an account."""

    @property
    def pk(self) -> Any: ...
    @property
    def username(self) -> Any: ...


def record(
    act: TrailAct,
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

    Comes last in its transaction: the head of the trail is held from here to the commit, and waiting for
    another row meanwhile could deadlock.
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
    salts = new_salts()
    stored = TrailLine.objects.create(
        **{name: getattr(line, name) for name in Line.__slots__},
        salts=salts,
        previous=head.hash,
        hash=hash_of(line, head.hash, salts),
    )
    head.n_lines, head.hash = stored.number, stored.hash
    head.save(update_fields=["n_lines", "hash"])
    return stored


def erase_texts(
    *,
    said_by: TrailLine,
    without: Callable[[TrailLine], Mapping[str, Any]],
    among: TrailLineQuerySet | None = None,
) -> int:
    """Puts other texts in place of those of earlier lines, or of some of them; gives how many lines were changed.

    `without` gives what is left of a line's texts, by name. The digests of those that change stay, their salts go, and the
    lines name `said_by`, the line of the erasing act, which was recorded in this transaction.
    """
    if not said_by.act.startswith(ERASING):
        raise ValueError(f"{said_by.act} is no act that erases texts.")
    n_changed = 0
    earlier = (TrailLine.objects.all() if among is None else among).filter(number__lt=said_by.number)
    for line in earlier.in_order().iterator(chunk_size=1000):
        left = {name: text for name, text in without(line).items() if text != getattr(line, name)}
        if not left:
            continue
        gone = {name: digest_of_text(line.salts[name], getattr(line, name)) for name in left if name in line.salts}
        TrailLine.objects.filter(pk=line.pk).update(
            **left,
            salts={name: line.salts[name] for name in TEXTS if name in line.salts and name not in left},
            gone=line.gone | gone,
            erased_by=said_by.number,
        )
        n_changed += 1
    return n_changed


def _held_head() -> TrailHead:
    """The head of the trail, held until the commit; created with the first line."""
    held = TrailHead.objects.select_for_update()
    head = held.filter(pk=TrailHead.ONLY).first()
    if head is None:
        TrailHead.objects.get_or_create(pk=TrailHead.ONLY)
        head = held.get(pk=TrailHead.ONLY)
    return head
