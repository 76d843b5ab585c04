"""What of a tester's work goes to a person that the organizer names. Pure: what has begun is never touched."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from campaigns.plans import PlanKind
from campaigns.redrawing import Standing


def may_name_somebody(kind: PlanKind, standing: Sequence[Standing]) -> bool:
    """In the full plan everybody does everything, and before the first dialogue the plan is drawn anew for everybody."""
    return kind is not PlanKind.FULL and any(row.is_begun for row in standing)


def handed_to(
    standing: Sequence[Standing],
    *,
    leaver: str,
    heir: str,
    has: Collection[tuple[str, str]],
    barred: Collection[tuple[str, str]] = (),
) -> list[Standing]:
    """What the heir takes over from the leaver, at the end of their own order and in the leaver's.

    `has` are the pairs of bot and scenario that the heir has already: nobody does the same thing twice for a leaver.
    `barred` are the pairs of tester and bot that are never drawn.
    """
    last = max((row.position for row in standing if row.tester == heir), default=0)
    rows = [
        row
        for row in standing
        if row.tester == leaver and not row.is_begun and row.triple[1:] not in has and (heir, row.bot) not in barred
    ]
    rows.sort(key=lambda row: (row.position, row.id))
    return [replace(row, tester=heir, position=last + number) for number, row in enumerate(rows, start=1)]


def with_moved(standing: Sequence[Standing], moved: Sequence[Standing]) -> list[Standing]:
    """What stands once they are moved."""
    now = {row.id: row for row in moved}
    return [now.get(row.id, row) for row in standing]
