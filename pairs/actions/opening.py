"""Opens a judge's next pair: of two new dialogues, or of two finished ones of a scenario."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from itertools import starmap

from django.db import transaction
from django.db.models import Count, Max, Q, Value
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import pause_of
from campaigns.calendar import Doing, check_open
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.actions import open_dialogue
from dialogues.actions.opening import beside_the_plan, hold_openings_of
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue
from dialogues.queries import offered_to
from dialogues.turn_taking import UNCOUNTED
from pairs.models import Pair, PairQuerySet, PairVote
from pairs.pair_drawing import Counts, Draw, Met, Offer, Two, counted, draw_pair, interval_widths
from serving.refused import Refused


class NoPairs(Refused):
    """The campaign has no pairs of this kind, or none for this role."""

    code = "no_pairs"

    def __str__(self) -> str:
        return _("In this campaign nobody compares pairs.")


class PausedJudge(Refused):
    """An organizer has paused the judge."""

    code = "paused"

    def __str__(self) -> str:
        return _("You are paused in this campaign.")


JUDGES = {Pair.Kind.LIVE: Role.TESTER, Pair.Kind.FINISHED: Role.REVIEWER}


def judges_of(campaign: Campaign) -> Role | None:
    """The role that compares; None where nobody does."""
    return next((role for kind, role in JUDGES.items() if kind == campaign.pairs_kind), None)


@transaction.atomic
def open_next_pair(*, campaign: Campaign, judge: Person, at: datetime) -> Pair | None:
    """The pair that the judge has begun and not compared yet, or a new one; None where nothing is left for them.

    Of a live pair both dialogues are opened, as single ones are. Errors: `NoPairs`; `PausedJudge`; `NotNow` outside of the time
    of reviewing; of a live pair those of `open_dialogue`.
    """
    role = judges_of(campaign)
    if role is None or not campaign.roles.filter(person=judge, role=role).exists():
        raise NoPairs
    if pause_of(judge, campaign, role) is not None:
        raise PausedJudge
    # Judge, pairs, campaign: votes hold them in the same order.
    hold_openings_of(judge.pk)
    if campaign.pairs_kind == Pair.Kind.FINISHED:
        check_open(campaign, Doing.REVIEW, at)
    if begun := _begun(campaign, judge, at):
        return begun
    # Both are slow, so they come before the campaign is held.
    offers = offers_for(campaign, judge, at)
    widths = widths_of(campaign) if campaign.pairs_draw == Pair.Draw.ADAPTIVE else None
    campaign = Campaign.objects.held(campaign.pk)
    own, seen = drawn_for(campaign, judge)
    if own.of_two.total() >= campaign.pairs_per_judge:
        return None
    before = drawn_before(campaign, judge)
    # Only an adaptive draw asks for votes, of which there are as many as pairs.
    waiting = Value(0) if widths is None else Count("pk") - Count("votes", filter=~Q(votes__verdict=""))
    met = before.values_list("scenario", "left", "right").annotate(n=Count("pk"), n_waiting=waiting)
    draw = draw_pair(
        offers,
        counted(starmap(Met, met)),
        own,
        seen=seen,
        uses=partial(uses_in, before),
        judge=judge.pk,
        seed=campaign.drawing_seed,
        widths=widths,
    )
    return _store(campaign, judge, draw, at) if draw else None


def _begun(campaign: Campaign, judge: Person, at: datetime) -> Pair | None:
    """The judge's pair that waits for its vote; those that can be compared no more are released."""
    barred = set(barred_entries(judge).filter(campaign=campaign).values_list("pk", flat=True))
    for pair in Pair.objects.of_campaign(campaign).of_judge(judge).drawn().to_do().with_names():
        if because := _why_released(pair, barred):
            Pair.objects.filter(pk=pair.pk).update(released_at=at, released_because=because)
        else:
            return pair
    return None


def _why_released(pair: Pair, barred: set[int]) -> str:
    if barred & {pair.left_id, pair.right_id}:
        return Pair.Released.INTEREST
    statuses = {one.status for one in (pair.left_dialogue, pair.right_dialogue) if one is not None}
    return Pair.Released.UNCOUNTED if statuses & set(UNCOUNTED) else ""


def drawn_for(campaign: Campaign, judge: Person) -> tuple[Counts, set[str]]:
    """The judge's own pairs that were not released, and the keys of all of them."""
    rows = Pair.objects.of_campaign(campaign).of_judge(judge).drawn().order_by()
    own = list(rows.values_list("key", "released_at", "scenario", "left", "right"))
    return counted(Met(*ids) for _key, released_at, *ids in own if released_at is None), {key for key, *_rest in own}


def drawn_before(campaign: Campaign, judge: Person) -> PairQuerySet:
    """All pairs that were drawn in the campaign, for the database to count; people's and programs' are balanced apart."""
    return Pair.objects.of_campaign(campaign).drawn().held().filter(judge__kind=judge.kind).order_by()


def uses_in(before: PairQuerySet, two: Two, scenario: int) -> Mapping[str, int]:
    """How often each finished dialogue of the two systems about the scenario was shown."""
    uses = Counter[str]()
    for side in ("left", "right"):
        shown = before.filter(**{"scenario": scenario, f"{side}__in": two, "kind": Pair.Kind.FINISHED})
        uses.update({str(pk): n for pk, n in shown.values_list(f"{side}_dialogue").annotate(n=Count("pk"))})
    return uses


def offers_for(campaign: Campaign, judge: Person, at: datetime) -> list[Offer]:
    """What can be put in front of the judge: systems that are offered now with each scenario, or finished dialogues of others.

    Neither has a system in which the judge has an interest, and nothing that a program talked is compared by people.
    """
    if campaign.pairs_kind == Pair.Kind.LIVE:
        scenarios = list(campaign.scenarios.tested().values_list("pk", flat=True))
        systems = offered_to(judge, campaign, at).order_by("pk").values_list("pk", flat=True)
        return [Offer(system, scenario) for system in systems for scenario in scenarios]
    found = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
    found = found.exclude(tester=judge, origin=Dialogue.Origin.LIVE).filter(turns_used__gt=0)
    if not judge.is_program:
        found = found.exclude(tester__kind=Person.Kind.PROGRAM, origin=Dialogue.Origin.LIVE)
    found = found.exclude(assignment__entry__in=barred_entries(judge)).order_by("pk")
    rows = found.values_list("assignment__entry_id", "assignment__scenario_id", "pk")
    return [Offer(system, scenario, str(pk)) for system, scenario, pk in rows]


def widths_of(campaign: Campaign) -> dict[Two, float]:
    """How little is known of each two systems by the votes so far."""
    votes = PairVote.objects.counted(campaign).order_by()
    return interval_widths(votes.values_list("pair__left", "pair__right", "verdict").annotate(n=Count("pk")))


def _store(campaign: Campaign, judge: Person, draw: Draw, at: datetime) -> Pair:
    own = Pair.objects.of_campaign(campaign).of_judge(judge)
    number = Pair.objects.of_campaign(campaign).aggregate(last=Max("number"))["last"] or 0
    dialogues = [_dialogue_of(campaign, judge, offer, at) for offer in (draw.left, draw.right)]
    return Pair.objects.create(
        campaign=campaign,
        kind=campaign.pairs_kind,
        scenario_id=draw.left.scenario,
        left_id=draw.left.system,
        right_id=draw.right.system,
        left_dialogue_id=dialogues[0],
        right_dialogue_id=dialogues[1],
        judge=judge,
        key=draw.key,
        position=(own.aggregate(last=Max("position"))["last"] or 0) + 1,
        number=number + 1,
        draw=campaign.pairs_draw,
        seed=campaign.drawing_seed,
        drawn_at=at,
    )


def _dialogue_of(campaign: Campaign, judge: Person, offer: Offer, at: datetime) -> str:
    """The id of the dialogue that was drawn, or of a new one with the system."""
    if offer.dialogue:
        return offer.dialogue
    assignment = beside_the_plan(campaign=campaign, tester=judge, entry=offer.system, scenario=offer.scenario, at=at)
    return str(open_dialogue(assignment=assignment, at=at).pk)
