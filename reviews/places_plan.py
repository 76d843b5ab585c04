"""Reads what decides about review places, and plans which to draw, take away and hand on.

Reads a whole campaign, or some of its dialogues again while they are held.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.db.models import Q, QuerySet

from campaigns.interests import Interests
from campaigns.models import Campaign
from dialogues.models import Dialogue
from reviews.models import ClosedPanel, GoldReview, GuideExample, ReviewPlace, Vetting
from reviews.panel_drawing import Panelled, draw_reviewers
from reviews.training import TALKER_OF_GOLD, adjudicated_in, paused_reviewers, reviewers_of, trainings

# The last of them decides about nothing but the order of a queue.
COLUMNS = (
    "pk", "dialogue_id", "reviewer_id", "is_gold", "opened_at", "expires_at", "done_at", "released_at", "released_because",
    "position",
)  # fmt: skip
# A row of `COLUMNS`.
PlaceRow = Any
NO_PANEL = object()
Released = ReviewPlace.Released
# A reviewer who lost a place for these reasons is not drawn for the dialogue again.
LET_GO = (Released.EXPIRED, Released.CANNOT_JUDGE)


def panel_dialogues(campaign: Campaign, among: Collection[Any] | None = None) -> Any:
    """The dialogues that a panel scores: closed, accepted where experts vet them, and no gold; `among` asks of these alone."""
    if not campaign.panels_score:
        return Dialogue.objects.none()
    dialogues = Dialogue.objects.of_campaign(campaign).reviewable().filter(gold=None)
    if among is not None:
        dialogues = dialogues.filter(pk__in=among)
    if campaign.experts_per_dialogue:
        vettings = _about(Vetting.objects.all(), among)
        dialogues = dialogues.filter(pk__in=vettings.dialogues_accepted_in(campaign))
    return dialogues


class PlacesSeen:
    """Rows, not models: a campaign has a hundred thousand of them. With `among` as much as there is of those dialogues.

    `interests` says who may not score which team's dialogues; `teams` are those of the dialogues, where that matters.
    """

    def __init__(self, campaign: Campaign, among: Collection[Any] | None = None) -> None:
        self.interests = Interests(campaign)
        of_campaign = Dialogue.objects.of_campaign(campaign).order_by()
        of_teams = of_campaign.values_list("pk", "assignment__entry__bot__team")
        has_own_teams = self.interests.teams and not self.interests.reaches_rivals
        self.teams: dict[Any, int] = dict(_among(of_teams, among)) if has_own_teams else {}
        rows, live = panel_dialogues(campaign, among).order_by("closed_at", "pk"), Q(origin=Dialogue.Origin.LIVE)
        self.testers: dict[Any, int | None] = dict(rows.filter(live).values_list("pk", "tester"))
        self.testers |= dict.fromkeys(rows.exclude(live).values_list("pk", flat=True))
        gold = _about(GoldReview.objects.filter(dialogue__assignment__campaign=campaign), among)
        self.gold: list[dict[str, Any]] = list(
            gold.order_by("set_at", "pk").values(
                "dialogue_id", "is_for_training", "set_by_id", talker_id=TALKER_OF_GOLD
            )
        )
        # No places are drawn for these, existing ones stay: an undone hand-in can be made again.
        closed = _about(ClosedPanel.objects.of_campaign(campaign).in_force(), among)
        read = _about(GuideExample.objects.of_campaign(campaign).maybe_read(), among)
        self.read = set(read.order_by().values_list("dialogue", flat=True))
        self.not_drawn_for = self.read | set(closed.values_list("dialogue", flat=True))
        self.adjudicators: dict[Any, set[int]] = defaultdict(set)
        for dialogue, adjudicator in adjudicated_in(campaign, among):
            self.adjudicators[dialogue].add(adjudicator)
        places = _about(ReviewPlace.objects.of_campaign(campaign).that_fill(campaign), among)
        self.places: list[PlaceRow] = list(places.order_by("drawn_at", "pk").values_list(*COLUMNS, named=True))

    def interested(self, dialogue: Any) -> set[int]:
        """The people whom an interest bars from the dialogue."""
        return self.interests.barred_from(self.teams.get(dialogue)) if self.interests.teams else set()

    @cached_property
    def _places_of(self) -> dict[Any, list[Any]]:
        found: dict[Any, list[Any]] = defaultdict(list)
        for place in self.places:
            found[place.dialogue_id].append(place[:-1])
        return found

    @cached_property
    def _gold_of(self) -> dict[Any, dict[str, Any]]:
        return {one["dialogue_id"]: one for one in self.gold}

    def of(self, dialogue: Any) -> Any:
        """All that decides about the places of one dialogue, to be compared."""
        tester, gold = self.testers.get(dialogue, NO_PANEL), self._gold_of.get(dialogue)
        adjudicators, places = self.adjudicators.get(dialogue, set()), self._places_of.get(dialogue, [])
        return (
            tester,
            dialogue in self.not_drawn_for,
            dialogue in self.read,
            adjudicators,
            gold,
            places,
            self.interested(dialogue),
        )

    def unchanged(self, now: "PlacesSeen", dialogues: Collection[Any]) -> set[Any]:
        """Those of the dialogues of which the same is seen now."""
        return {dialogue for dialogue in dialogues if self.of(dialogue) == now.of(dialogue)}


def _among(dialogues: QuerySet[Any, Any], among: Collection[Any] | None) -> Any:
    return dialogues if among is None else dialogues.filter(pk__in=among)


def _about(found: QuerySet[Any], among: Collection[Any] | None) -> Any:
    return found if among is None else found.filter(dialogue__in=among)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A place to be drawn."""

    dialogue_id: Any
    reviewer_id: int
    is_gold: bool = False


@dataclass
class PlacesPlan:
    """`ready` are the reviewers who get dialogues of the panel; `taken` are places not begun, `released` begun ones.

    It is made of what was `seen`: of a dialogue of which something else is seen by now, nothing of it holds.
    """

    seen: PlacesSeen
    ready: list[int]
    taken: list[PlaceRow] = field(default_factory=list)
    released: dict[str, list[PlaceRow]] = field(default_factory=lambda: defaultdict(list))
    drawn: list[Wanted] = field(default_factory=list)

    def dialogues(self) -> set[Any]:
        places = [*self.taken, *(place for places in self.released.values() for place in places)]
        return {place.dialogue_id for place in places} | {wanted.dialogue_id for wanted in self.drawn}

    def within(self, held: Collection[Any]) -> "PlacesPlan":
        """What of the plan is about those dialogues."""
        released = {because: _within(places, held) for because, places in self.released.items()}
        return PlacesPlan(self.seen, self.ready, _within(self.taken, held), released, _within(self.drawn, held))

    def pieces(self, n_dialogues: int) -> "list[PlacesPlan]":
        """The plan in parts of `n_dialogues` dialogues, in the order of their ids; a dialogue is never split."""
        in_order = sorted(self.dialogues())
        piece_of = {dialogue: number // n_dialogues for number, dialogue in enumerate(in_order)}
        pieces = [PlacesPlan(self.seen, self.ready) for _ in range(0, len(in_order), n_dialogues)]
        for place in self.taken:
            pieces[piece_of[place.dialogue_id]].taken.append(place)
        for because, places in self.released.items():
            for place in places:
                pieces[piece_of[place.dialogue_id]].released[because].append(place)
        for wanted in self.drawn:
            pieces[piece_of[wanted.dialogue_id]].drawn.append(wanted)
        return pieces


def _within(rows: Collection[Any], held: Collection[Any]) -> list[Any]:
    return [row for row in rows if row.dialogue_id in held]


def places_plan(
    campaign: Campaign,
    drawn_for: Collection[int],
    at: datetime,
    *,
    without: int | None = None,
    given: Mapping[int, int] = MappingProxyType({}),
) -> PlacesPlan:
    """What is to change, in sixteen queries. Nothing that was begun is touched, but reservations that ran out.

    `drawn_for` are the reviewers that places were drawn for last: where others are ready now, what is not begun is
    redrawn among them, so that the first to come have no more to do. For a preview: the plan without one
    reviewer, where the places that `given` names have gone to others.
    """
    return _Planning(campaign, at, without, given).plan(drawn_for)


def ready_reviewers(campaign: Campaign, reviewers: Iterable[int]) -> list[int]:
    """Those of the reviewers who are drawn for panels now: they passed the training and do not pause."""
    passed = {one for one, state in trainings(campaign, reviewers).items() if state.has_passed}
    return sorted(passed - paused_reviewers(campaign))


class _Planning:
    def __init__(self, campaign: Campaign, at: datetime, without: int | None, given: Mapping[int, int]) -> None:
        self.campaign, self.at, self.given = campaign, at, given
        self.size = campaign.reviewers_per_dialogue
        self.reviewers = set(reviewers_of(campaign)) - {without}
        self.ready = ready_reviewers(campaign, self.reviewers)
        self.seen = PlacesSeen(campaign)
        self.testers, self.gold = self.seen.testers, self.seen.gold
        self.adjudicators = self.seen.adjudicators
        self.gold_dialogues = {one["dialogue_id"] for one in self.gold}
        self.panels: dict[Any, set[int]] = defaultdict(set)
        self.let_go: dict[Any, set[int]] = defaultdict(set)
        self.n_panel: dict[int, int] = defaultdict(int)
        self.gold_of: dict[int, set[Any]] = defaultdict(set)
        self.result = PlacesPlan(self.seen, self.ready)

    def plan(self, drawn_for: Collection[int]) -> PlacesPlan:
        places = [
            place._replace(reviewer_id=self.given[place.pk]) if place.pk in self.given else place
            for place in self.seen.places
        ]
        begins_anew = set(drawn_for) != set(self.ready)
        for place in places:
            if place.released_because in LET_GO and place.released_at is not None:
                self.let_go[place.dialogue_id].add(place.reviewer_id)
        # What is done or begun comes first: a panel that is full of it has no room for what is not.
        for place in sorted(places, key=lambda one: one.opened_at is None):
            self._sort(place, begins_anew)
        self._draw_panels()
        self._draw_gold()
        return self.result

    def _sort(self, place: ReviewPlace, begins_anew: bool) -> None:
        if place.is_gold:
            self._sort_gold(place)
        elif place.released_at is not None:
            return
        elif place.done_at is not None:
            self._keep(place)
        elif place.opened_at is None:
            is_drawn_for = place.dialogue_id in self.testers and place.dialogue_id not in self.seen.not_drawn_for
            is_barred = place.reviewer_id in self.seen.interested(place.dialogue_id)
            is_wanted = place.reviewer_id in self.ready and is_drawn_for and not is_barred
            if begins_anew or not is_wanted or len(self.panels[place.dialogue_id]) >= self.size:
                self.result.taken.append(place)
            else:
                self._keep(place)
        elif because := self._why_to_release(place):
            self.result.released[because].append(place)
            if because in LET_GO:
                self.let_go[place.dialogue_id].add(place.reviewer_id)
        else:
            self._keep(place)

    def _why_to_release(self, place: PlaceRow) -> str:
        """Why a begun place goes to another reviewer; empty if it stays."""
        if place.reviewer_id not in self.reviewers or place.reviewer_id in self.seen.interested(place.dialogue_id):
            return Released.NO_REVIEWER
        if place.dialogue_id not in self.testers:
            return Released.NOT_REVIEWED
        has_run_out = place.expires_at is not None and place.expires_at <= self.at
        return Released.EXPIRED if has_run_out and self._others_for(place) else ""

    def _others_for(self, place: PlaceRow) -> set[int]:
        if place.dialogue_id in self.seen.not_drawn_for:
            return set()
        not_free = self._barred(place.dialogue_id) | self.panels[place.dialogue_id]
        return set(self.ready) - not_free - {place.reviewer_id, self.testers[place.dialogue_id] or 0}

    def _barred(self, dialogue: Any) -> set[int]:
        return self.let_go[dialogue] | self.adjudicators[dialogue] | self.seen.interested(dialogue)

    def _keep(self, place: PlaceRow) -> None:
        self.panels[place.dialogue_id].add(place.reviewer_id)
        self.n_panel[place.reviewer_id] += 1

    def _sort_gold(self, place: PlaceRow) -> None:
        is_begun = place.opened_at is not None or place.released_at is not None
        is_barred = place.reviewer_id in self.seen.interested(place.dialogue_id)
        is_asked = place.reviewer_id in self.reviewers and place.dialogue_id in self.gold_dialogues and not is_barred
        if is_begun or is_asked:
            self.gold_of[place.reviewer_id].add(place.dialogue_id)
        else:
            self.result.taken.append(place)

    def _draw_panels(self) -> None:
        """The drawing knows people by text, and everybody who is in a panel now."""
        dialogues = [
            Panelled(pk, frozenset(map(str, self._barred(pk) | ({tester} if tester else set()))))
            for pk, tester in self.testers.items()
            if pk not in self.seen.not_drawn_for
        ]
        drawn = draw_reviewers(
            dialogues,
            [str(one) for one in self.ready],
            per_dialogue=self.size,
            drawn={pk: {str(one) for one in panel} for pk, panel in self.panels.items()},
            seed=self.campaign.drawing_seed,
        )
        for place in drawn:
            self.n_panel[int(place.reviewer)] += 1
            self.result.drawn.append(Wanted(place.dialogue, int(place.reviewer)))

    def _draw_gold(self) -> None:
        """Each reviewer gets all training gold; ready ones get one of the rest per `gold_every` dialogues."""
        trains, every = self.campaign.training_pass_percent is not None, self.campaign.gold_every
        for reviewer in sorted(self.reviewers):
            own = [
                one
                for one in self.gold
                if reviewer not in (one["talker_id"], one["set_by_id"])
                and one["dialogue_id"] not in self.gold_of[reviewer]
                and one["dialogue_id"] not in self.seen.read
                and reviewer not in self.panels[one["dialogue_id"]]
                and reviewer not in self.adjudicators[one["dialogue_id"]]
                and reviewer not in self.seen.interested(one["dialogue_id"])
            ]
            chosen = [one for one in own if one["is_for_training"]] if trains else []
            if every and reviewer in self.ready:
                mixed = [one for one in self.gold if not (trains and one["is_for_training"])]
                n_there = sum(one["dialogue_id"] in self.gold_of[reviewer] for one in mixed)
                n_missing = max(0, self.n_panel[reviewer] // every - n_there)
                chosen += [one for one in own if one in mixed][:n_missing]
            self.result.drawn += [Wanted(one["dialogue_id"], reviewer, is_gold=True) for one in chosen]
