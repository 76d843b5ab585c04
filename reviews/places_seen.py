"""What decides about places: read for a whole campaign, and again for some of its dialogues while they are held."""

from collections import defaultdict
from collections.abc import Collection
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet

from campaigns.interests import Interests
from campaigns.models import Campaign
from dialogues.models import Dialogue
from reviews.models import ClosedPanel, GoldReview, ReviewPlace, Vetting
from reviews.training import TALKER_OF_GOLD, adjudicated_in

# The last of them decides about nothing but the order of a queue.
COLUMNS = (
    "pk", "dialogue_id", "reviewer_id", "is_gold", "opened_at", "expires_at", "done_at", "released_at", "released_because",
    "position",
)  # fmt: skip
# A row of `COLUMNS`.
PlaceRow = Any
NO_PANEL = object()


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
        # Nobody is drawn for these, but who has a place keeps it: a hand-in that is undone can be made again.
        closed = _about(ClosedPanel.objects.of_campaign(campaign).in_force(), among)
        self.closed = set(closed.values_list("dialogue", flat=True))
        self.adjudicators: dict[Any, set[int]] = defaultdict(set)
        for dialogue, adjudicator in adjudicated_in(campaign, among):
            self.adjudicators[dialogue].add(adjudicator)
        places = _about(ReviewPlace.objects.of_campaign(campaign), among)
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
        return tester, dialogue in self.closed, adjudicators, gold, places, self.interested(dialogue)

    def unchanged(self, now: "PlacesSeen", dialogues: Collection[Any]) -> set[Any]:
        """Those of the dialogues of which the same is seen now."""
        return {dialogue for dialogue in dialogues if self.of(dialogue) == now.of(dialogue)}


def _among(dialogues: QuerySet[Any, Any], among: Collection[Any] | None) -> Any:
    return dialogues if among is None else dialogues.filter(pk__in=among)


def _about(found: QuerySet[Any], among: Collection[Any] | None) -> Any:
    return found if among is None else found.filter(dialogue__in=among)
