"""Puts things in an order in which none of a kind follow each other, as far as can be. Pure."""

import hashlib
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def lot(*drawn_by: Hashable) -> bytes:
    """What somebody drew: the same for the same seed and names in every process, and as good as random."""
    return hashlib.blake2b("\n".join(map(str, drawn_by)).encode(), digest_size=16).digest()


def interleaved(
    things: Iterable[Thing], *, kind_of: Callable[[Thing], str], lot_of: Callable[[Thing], bytes]
) -> list[Thing]:
    """The things in the order of their lots, each kind as seldom twice in a row as can be.

    It does not depend on the order given, and two of one kind keep their order when others are added.
    """
    waiting: dict[str, list[tuple[bytes, Thing]]] = {}
    for drawn, thing in sorted(((lot_of(thing), thing) for thing in things), key=lambda one: one[0], reverse=True):
        waiting.setdefault(kind_of(thing), []).append((drawn, thing))
    order: list[Thing] = []
    last = None
    while waiting:
        # The kind with most left comes next, or its last ones would follow each other.
        kind = max(
            (other for other in waiting if other != last or len(waiting) == 1),
            key=lambda other: (len(waiting[other]), waiting[other][-1][0]),
        )
        order.append(waiting[kind].pop()[1])
        if not waiting[kind]:
            del waiting[kind]
        last = kind
    return order
