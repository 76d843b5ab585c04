"""Draws who talks to which bot about what by the campaign's plan, and stores it."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from campaigns.acts import PLAN_DRAWN
from campaigns.drawing import Drawn
from campaigns.hidden_orders import bots_in_hidden_order, in_hidden_order, plan_seed
from campaigns.interests import Interests
from campaigns.models import Assignment, Campaign, Role
from campaigns.plans import Ground, Plan, PlanKind
from campaigns.redrawing import Changes, Standing, Triple, changes_of

AT_ONCE = 500


class PreviewIsOld(Exception):
    """Drawing would change something else by now; nothing was changed."""


def preview_drawing(*, campaign: Campaign, void: Collection[int] = ()) -> Changes:
    """What drawing would add, take away and leave now. `void` as for `draw_assignments`."""
    if campaign.free_choice:
        return Changes()
    return changes_of(plan_of(campaign), ground_of(campaign), standing_of(campaign, void), seed=plan_seed(campaign))


@transaction.atomic
def draw_assignments(
    *, campaign: Campaign, void: Collection[int] = (), previewed: str = "", by: Person | None = None
) -> Changes:
    """Makes the assignments those of the plan; what has begun stays. Gives what was changed.

    `void` are the ids of assignments that began but whose dialogues count nowhere; of somebody who has left, they are
    drawn for others. `previewed` is the digest of the changes that somebody has agreed to.
    Errors: `PreviewIsOld`, `NotNow`.
    """
    refuse_if_ended(campaign)
    changes = redraw(campaign, void, previewed)
    if changes:
        record(PLAN_DRAWN, by=by, campaign=campaign.slug, details=counts_of(changes))
    return changes


def redraw(campaign: Campaign, void: Collection[int], previewed: str = "") -> Changes:
    """The same inside the transaction of another act, which is the one that the trail names."""
    # Openings hold this row, too: whatever is not begun now is not being begun until the commit.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    changes = preview_drawing(campaign=campaign, void=void)
    if previewed and changes.digest() != previewed:
        raise PreviewIsOld
    _take_away(changes.take_away)
    _move(changes)
    _add(campaign, changes.add)
    return changes


def counts_of(changes: Changes) -> dict[str, int]:
    """What the trail says of a drawing."""
    return {"added": len(changes.add), "taken_away": len(changes.take_away)}


def plan_of(campaign: Campaign) -> Plan:
    return Plan(PlanKind(campaign.plan), campaign.testers_per_cell, campaign.dialogues_per_bot, campaign.quota)


def ground_of(campaign: Campaign, at: datetime | None = None) -> Ground:
    """Testers and bots in their hidden orders, scenarios in that of their keys; a bot that pauses is among them.

    With the seed a plan tells in which order it was drawn: these orders tell nothing about who is who.
    """
    testers = dict(campaign.roles.filter(role=Role.TESTER).values_list("person__username", "person"))
    planned = campaign.entries.planned(campaign, at or timezone.now())
    bots = {key: (alias, team) for key, alias, team in planned.values_list("key", "alias", "bot__team")}
    interests = Interests(campaign)
    barred = {
        (username, key)
        for username, person in testers.items()
        if person in interests.teams
        for key, (_alias, team) in bots.items()
        if interests.bars(person, team)
    }
    n_barred = Counter(username for username, _key in barred)
    return Ground(
        # Somebody barred from every bot is no tester here: the shares of the others are even without them.
        testers=in_hidden_order(campaign, [one for one in testers if not bots or n_barred[one] < len(bots)]),
        bots=bots_in_hidden_order(campaign, ((key, alias) for key, (alias, _team) in bots.items())),
        skills=dict(campaign.scenarios.tested().order_by("key").values_list("key", "skill")),
        barred=frozenset(barred),
    )


def standing_of(campaign: Campaign, void: Collection[int]) -> list[Standing]:
    void = set(void)
    rows = campaign.assignments.filter(is_drawn=True).order_by("pk")
    return [
        Standing(pk, tester, bot, scenario, position, is_begun=started_at is not None, is_void=pk in void)
        for pk, tester, bot, scenario, position, started_at in rows.values_list(
            "pk", "tester__username", "entry__key", "scenario__key", "position", "started_at"
        )
    ]


def _take_away(rows: Sequence[Standing]) -> None:
    for start in range(0, len(rows), AT_ONCE):
        ids = [row.id for row in rows[start : start + AT_ONCE]]
        Assignment.objects.filter(pk__in=ids, started_at=None).delete()


def _move(changes: Changes) -> None:
    moved = [Assignment(pk=pk, position=position) for pk, position in changes.move.items()]
    Assignment.objects.bulk_update(moved, ["position"], batch_size=AT_ONCE)


def _add(campaign: Campaign, drawn: Sequence[Drawn]) -> None:
    testers = dict(campaign.roles.filter(role=Role.TESTER).values_list("person__username", "person"))
    entries = dict(campaign.entries.values_list("key", "pk"))
    scenarios = dict(campaign.scenarios.values_list("key", "pk"))
    Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign,
            tester_id=testers[row.tester],
            entry_id=entries[row.bot],
            scenario_id=scenarios[row.scenario],
            position=row.position,
            repetition=repetition,
        )
        for row, repetition in _numbered(campaign, drawn)
    )


def _numbered(campaign: Campaign, drawn: Sequence[Drawn]) -> Iterator[tuple[Drawn, int]]:
    """Each with a repetition that nothing else has, chosen by hand or drawn before."""
    latest: Counter[Triple] = Counter()
    if drawn:
        names = ("tester__username", "entry__key", "scenario__key", "repetition")
        for tester, bot, scenario, repetition in campaign.assignments.values_list(*names):
            latest[tester, bot, scenario] = max(latest[tester, bot, scenario], repetition)
    for row in drawn:
        latest[row.triple] += 1
        yield row, latest[row.triple]
