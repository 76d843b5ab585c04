"""A tester leaves: what they had not begun goes to the others, or to somebody whom the organizer names."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import (
    AT_ONCE,
    IN_ONE_TRANSACTION,
    PreviewIsOld,
    counts_of,
    ground_of,
    plan_of,
    redraw_smaller,
    standing_of,
)
from campaigns.calendar import Doing, check_open
from campaigns.models import Assignment, Campaign, Role
from campaigns.planning.hidden_orders import plan_seed
from campaigns.planning.plans import Ground, PlanKind, n_asked
from campaigns.planning.redrawing import Changes, Standing, changes_of, orphans_of
from campaigns.reasons import reason_of
from campaigns.trail_acts import WORK_HANDED_ON
from serving.refused import Refused


def may_name_somebody(kind: PlanKind, standing: Sequence[Standing]) -> bool:
    """In the full plan everybody does everything, and before the first dialogue the plan is redrawn for everybody."""
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

    `has` are the pairs of bot and scenario that the heir has already: an heir never repeats one for a leaver.
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


class CannotTakeOver(Refused):
    """The named person has not the role, pauses, is not trained or has an interest, or in this plan nobody can be named."""

    code = "cannot_take_over"

    def __str__(self) -> str:
        return _("The named person cannot take the work over.")


@dataclass(frozen=True, slots=True)
class Leave:
    """What leaving changes: what the named person takes over, and what the plan draws for the others."""

    moved: list[Standing] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)

    def digest(self) -> str:
        moved = repr(sorted((row.id, row.tester) for row in self.moved))
        return hashlib.sha256(f"{moved} {self.changes.digest()}".encode()).hexdigest()


def preview_leave(*, campaign: Campaign, person: Person, to: Person | None = None, void: Collection[int] = ()) -> Leave:
    """What `leave_as_tester` would change now. Errors: `CannotTakeOver`."""
    standing, ground = standing_of(campaign, void), ground_of(campaign)
    moved: list[Standing] = []
    if to is not None:
        _check_heir(campaign, person, to, standing, ground)
        has = set(campaign.assignments.filter(tester=to).values_list("entry__key", "scenario__key"))
        moved = handed_to(standing, leaver=person.username, heir=to.username, has=has, barred=ground.barred)
    if campaign.free_choice:
        return Leave()
    left = replace(ground, testers=[one for one in ground.testers if one != person.username])
    plan, standing = plan_of(campaign), with_moved(standing, moved)
    if n_asked(plan, left) > min(campaign.plan_limit, IN_ONE_TRANSACTION):
        # What the others get is drawn after the commit.
        return Leave(moved, orphans_of(left, standing))
    return Leave(moved, changes_of(plan, left, standing, seed=plan_seed(campaign)))


def may_name_an_heir(campaign: Campaign) -> bool:
    return not campaign.free_choice and may_name_somebody(plan_of(campaign).kind, standing_of(campaign, ()))


def _check_heir(campaign: Campaign, person: Person, to: Person, standing: list[Standing], ground: Ground) -> None:
    at_work = campaign.roles.at_work().filter(person=to, role=Role.TESTER).exists() and to.username in ground.testers
    if campaign.free_choice or to == person or not at_work or not may_name_somebody(plan_of(campaign).kind, standing):
        raise CannotTakeOver


@transaction.atomic
def leave_as_tester(
    *,
    campaign: Campaign,
    person: Person,
    because: str,
    by: Person | None,
    at: datetime,
    to: Person | None = None,
    void: Collection[int] = (),
    previewed: str = "",
) -> Leave:
    """Takes the role of tester back; what was begun stays, with its scores. `void` as for `draw_assignments`.

    Errors: `NotNow`; `ReasonNeeded`; `CannotTakeOver`; `PreviewIsOld` where something else would move than was agreed to.
    """
    # Openings hold this row, too: whatever is not begun now is not being begun until the commit.
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    leave = preview_leave(campaign=campaign, person=person, to=to, void=void)
    if previewed and leave.digest() != previewed:
        raise PreviewIsOld
    n_roles, _deleted = campaign.roles.filter(person=person, role=Role.TESTER).delete()
    if to is not None:
        rows = [Assignment(pk=row.id, tester=to, position=row.position) for row in leave.moved]
        Assignment.objects.bulk_update(rows, ["tester", "position"], batch_size=AT_ONCE)
    if not campaign.free_choice:
        redraw_smaller(campaign, void)
    if not (n_roles or leave.moved or leave.changes):
        return leave
    details = {"role": Role.TESTER.value, "to": to.username if to else "", "moved": len(leave.moved)}
    record(
        WORK_HANDED_ON,
        by=by,
        at=at,
        campaign=campaign.slug,
        about=person.username,
        because=because,
        details=details | counts_of(leave.changes),
    )
    return leave
