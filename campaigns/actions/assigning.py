"""Draws who talks to which bot about what by the campaign's plan, and stores it."""

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from campaigns.interests import Interests, InterestsOf, Who
from campaigns.models import Assignment, Campaign, Role
from campaigns.planning.drawing import Drawn
from campaigns.planning.hidden_orders import bots_in_hidden_order, in_hidden_order, plan_seed
from campaigns.planning.plan_sizes import PlanTooLarge, check_size
from campaigns.planning.plans import Ground, Plan, PlanKind
from campaigns.planning.redrawing import Changes, Standing, Triple, changes_of, orphans_of
from campaigns.trail_acts import PLAN_DRAWN
from serving.refused import Refused

logger = logging.getLogger("huace.drawing")
AT_ONCE = 500
# A larger plan is stored in pieces of PIECE rows, between which turns and pages write.
IN_ONE_TRANSACTION, PIECE = 10_000, 1_000


class PreviewIsOld(Refused):
    """The act would change something else by now; nothing was changed."""

    code = "preview_is_old"

    def __str__(self) -> str:
        return _("The preview is out of date: look at it again.")


def preview_drawing(*, campaign: Campaign, void: Collection[int] = ()) -> Changes:
    """What drawing would add, take away and leave now; only read and compared. `void` as for `draw_assignments`.

    Errors: `PlanTooLarge`.
    """
    if campaign.free_choice:
        return Changes()
    ground = ground_of(campaign)
    check_size(plan_of(campaign), ground, campaign.plan_limit)
    return _changes(campaign, ground, void)


def draw_assignments(
    *, campaign: Campaign, void: Collection[int] = (), previewed: str = "", by: Person | None = None
) -> Changes:
    """Makes the assignments those of the plan; what has begun stays. Gives what was changed.

    `void` are the ids of assignments that began but whose dialogues count nowhere; of somebody who has left, they are
    drawn for others. `previewed` is the digest of the changes that somebody has agreed to. A large plan is stored piece by
    piece: where something changes meanwhile, the pieces before stay, and drawing again adds what is missing.
    Errors: `PreviewIsOld`, `PlanTooLarge`, `NotNow`.
    """
    refuse_if_ended(campaign)
    ground = ground_of(campaign)
    if _is_large(campaign, ground):
        return _draw_in_pieces(campaign, ground, void, previewed, by)
    with transaction.atomic():
        changes = redraw(campaign, void, previewed)
        _record(campaign, changes, by)
    return changes


def _draw_in_pieces(
    campaign: Campaign, ground: Ground, void: Collection[int], previewed: str = "", by: Person | None = None
) -> Changes:
    """The same in many short transactions: the plan is drawn before the first, and other writers come between them.

    Errors: `PreviewIsOld`, also where the campaign's testers, systems, scenarios or assignments change on the way.
    """
    newest = _newest(campaign)
    changes = _changes(campaign, ground, void)
    if previewed and changes.digest() != previewed:
        raise PreviewIsOld
    numbered, moved = list(_numbered(campaign, changes.add)), list(changes.move.items())
    n_stored = 0
    try:
        for start in range(0, max(len(numbered), len(changes.take_away), len(moved)), PIECE):
            piece = slice(start, start + PIECE)
            with transaction.atomic():
                Campaign.objects.held(campaign.pk)
                if _newest(campaign) != newest or ground_of(campaign) != ground:
                    raise PreviewIsOld
                _take_away(changes.take_away[piece])
                _move(moved[piece])
                _add(campaign, numbered[piece])
                newest = _newest(campaign)
            n_stored = piece.stop
    finally:
        # A drawing that stops on the way has changed something for others, too.
        stored = Changes(changes.add[:n_stored], changes.take_away[:n_stored])
        with transaction.atomic():
            _record(campaign, stored, by)
    return changes


def redraw(campaign: Campaign, void: Collection[int], previewed: str = "") -> Changes:
    """The same inside the transaction of another act, which is the one that the trail names.

    A large plan is drawn in pieces after the commit, with a line of its own; then nothing is given here.
    Errors: `PlanTooLarge`, `PreviewIsOld`.
    """
    # Openings hold this row, too: whatever is not begun now is not being begun until the commit.
    campaign = Campaign.objects.held(campaign.pk)
    ground = ground_of(campaign)
    if _is_large(campaign, ground):
        draw_after_commit(campaign, void)
        return Changes()
    changes = _changes(campaign, ground, void)
    if previewed and changes.digest() != previewed:
        raise PreviewIsOld
    store_drawing(campaign, changes)
    return changes


def _is_large(campaign: Campaign, ground: Ground) -> bool:
    """Whether storing the plan in one transaction would keep turns waiting. Errors: `PlanTooLarge`."""
    return not campaign.free_choice and check_size(plan_of(campaign), ground, campaign.plan_limit) > IN_ONE_TRANSACTION


def _changes(campaign: Campaign, ground: Ground, void: Collection[int]) -> Changes:
    if campaign.free_choice:
        return Changes()
    return changes_of(plan_of(campaign), ground, standing_of(campaign, void), seed=plan_seed(campaign))


def redraw_smaller(campaign: Campaign, void: Collection[int]) -> Changes:
    """The same for an act that takes a tester, a system or a scenario away: no size of the plan prevents it.

    Of a plan that is too large to be drawn, only assignments that are not begun and have lost one of the three are removed.
    """
    try:
        return redraw(campaign, void)
    except PlanTooLarge:
        changes = orphans_of(ground_of(campaign), standing_of(campaign, void))
        store_drawing(campaign, changes)
        return changes


def store_drawing(campaign: Campaign, changes: Changes) -> None:
    """Writes the changes inside the caller's transaction, which holds the campaign's row."""
    _take_away(changes.take_away)
    _move(list(changes.move.items()))
    _add(campaign, list(_numbered(campaign, changes.add)))


def draw_after_commit(campaign: Campaign, void: Collection[int]) -> None:
    """Draws a large plan in pieces once the caller's transaction is stored."""
    transaction.on_commit(partial(_draw_now, campaign, void), robust=True)


def _draw_now(campaign: Campaign, void: Collection[int]) -> None:
    campaign = Campaign.objects.get(pk=campaign.pk)
    try:
        _draw_in_pieces(campaign, ground_of(campaign), void)
    except (PreviewIsOld, PlanTooLarge):
        # An act that changed the ground draws it itself; the wall names what else is missing.
        logger.info("The plan of %s changed while it was drawn.", campaign.slug)


def _newest(campaign: Campaign) -> int | None:
    """The latest assignment: another drawing beside one in pieces changes it."""
    return campaign.assignments.order_by("-pk").values_list("pk", flat=True).first()


def _record(campaign: Campaign, changes: Changes, by: Person | None) -> None:
    if changes:
        record(PLAN_DRAWN, by=by, campaign=campaign.slug, details=counts_of(changes))


def counts_of(changes: Changes) -> dict[str, int]:
    """What the trail says of a drawing."""
    return {"added": len(changes.add), "taken_away": len(changes.take_away)}


def plan_of(campaign: Campaign) -> Plan:
    return Plan(PlanKind(campaign.plan), campaign.testers_per_cell, campaign.dialogues_per_bot, campaign.quota)


def ground_of(campaign: Campaign, at: datetime | None = None) -> Ground:
    """What the stored campaign's plan is drawn over; a bot that pauses is among its bots."""
    testers = dict(campaign.roles.planned_for().values_list("person__username", "person"))
    planned = campaign.entries.planned(campaign, at or timezone.now())
    bots = {key: (alias, team) for key, alias, team in planned.values_list("key", "alias", "bot__team")}
    skills = dict(campaign.scenarios.tested().order_by("key").values_list("key", "skill"))
    return ground_over(campaign, testers, bots, skills, Interests(campaign))


def ground_over(
    campaign: Campaign,
    testers: Mapping[str, Who],
    bots: Mapping[str, tuple[str, Who]],
    skills: Mapping[str, str],
    interests: InterestsOf[Who],
) -> Ground:
    """Testers by their names, bots with alias and team: both in their hidden orders, and scenarios as they come.

    With the seed a plan tells in which order it was drawn: these orders tell nothing about who is who.
    """
    barred = {
        (username, key)
        for username, person in testers.items()
        if person in interests.teams
        for key, (_alias, team) in bots.items()
        if interests.bars(person, team)
    }
    n_barred = Counter(username for username, _key in barred)
    return Ground(
        # A person barred from every bot is no tester here: the shares of the others are even without them.
        testers=in_hidden_order(campaign, [one for one in testers if not bots or n_barred[one] < len(bots)]),
        bots=bots_in_hidden_order(campaign, ((key, alias) for key, (alias, _team) in bots.items())),
        skills=skills,
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


def _move(moved: Sequence[tuple[int, int]]) -> None:
    rows = [Assignment(pk=pk, position=position) for pk, position in moved]
    Assignment.objects.bulk_update(rows, ["position"], batch_size=AT_ONCE)


def _add(campaign: Campaign, numbered: Sequence[tuple[Drawn, int]]) -> None:
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
        for row, repetition in numbered
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
