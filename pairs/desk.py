"""What a judge sees of pairs: how far they are, what they compared, and one pair with both its dialogues, blind."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from accounts.models import Person
from api.answers import encoded
from campaigns.interests import barred_entries
from campaigns.models import Campaign
from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from dialogues.turn_taking import UNCOUNTED
from pairs.actions.opening import offers_for
from pairs.actions.voting import content_of, dialogues_of, undo_s
from pairs.models import Pair, PairVote
from pairs.pair_drawing import Offer
from reviews.sheet import SheetPart, turn_of_sheet


@dataclass(frozen=True, slots=True)
class Standing:
    """How many pairs a judge compared and how many there are for them; `begun` is the one that waits for its vote."""

    n_done: int
    n_all: int
    begun: Pair | None = None

    @property
    def is_left(self) -> bool:
        return self.begun is not None or self.n_done < self.n_all


@dataclass(frozen=True, slots=True)
class DoneRow:
    """A pair that the judge compared."""

    pair: Pair
    vote: PairVote
    undo_s: int


def n_meetings(offers: Iterable[Offer]) -> int:
    """How many pairs the offers allow: two of different systems about the same scenario."""
    of_cell = Counter((offer.scenario, offer.system) for offer in offers)
    by_scenario: dict[int, list[int]] = {}
    for (scenario, _system), n in of_cell.items():
        by_scenario.setdefault(scenario, []).append(n)
    return sum((sum(row) ** 2 - sum(n * n for n in row)) // 2 for row in by_scenario.values())


def standing_of(campaign: Campaign, judge: Person, at: datetime) -> Standing:
    own = Pair.objects.of_campaign(campaign).of_judge(judge).drawn()
    own = own.exclude(left__in=barred_entries(judge)).exclude(right__in=barred_entries(judge))
    n_done = own.held().count() - own.to_do().count()
    begun = own.to_do().exclude(_is_uncounted()).with_names().first()
    n_seen = own.count()
    n_all = min(campaign.pairs_per_judge, max(n_meetings(offers_for(campaign, judge, at)), n_seen))
    return Standing(n_done, max(n_all, n_done), begun)


def _is_uncounted() -> Q:
    return Q(left_dialogue__status__in=list(UNCOUNTED)) | Q(right_dialogue__status__in=list(UNCOUNTED))


def done_rows(campaign: Campaign, judge: Person, at: datetime) -> list[DoneRow]:
    """What the judge compared, the latest first."""
    votes = PairVote.objects.given().filter(judge=judge, pair__campaign=campaign, pair__origin=Pair.Origin.DRAWN)
    votes = votes.exclude(pair__left__in=barred_entries(judge)).exclude(pair__right__in=barred_entries(judge))
    return [
        DoneRow(vote.pair, vote, undo_s(vote, at))
        for vote in votes.select_related("pair__scenario", "pair__campaign").order_by("-at", "-pk")
    ]


def counts_by_campaign(campaigns: Iterable[Campaign], judge: Any) -> dict[int, int]:
    """By campaign, how many pairs the judge compared: one query."""
    own = PairVote.objects.given().filter(judge=judge, pair__campaign__in=list(campaigns), pair__released_at=None)
    return dict(own.order_by().values_list("pair__campaign").annotate(Count("pk")))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pair as its judge reads it: neither system nor team; `dialogue` only where the judge talks in it themselves."""

    side: str
    dialogue: Dialogue | None
    status: str
    turns: list[dict[str, Any]]
    subtasks: list[dict[str, Any]]


def sides_of(pair: Pair) -> list[Side]:
    """Left and right."""
    masker = masker_of(masked_words(pair.campaign))
    return [_side(pair, side, dialogue, masker) for side, dialogue in dialogues_of(pair).items()]


def _side(pair: Pair, side: str, dialogue: Dialogue, masker: Masker) -> Side:
    # A latency can tell a system from another: no side shows it.
    turns = [turn_of_sheet(turn, masker, with_latency=False) for turn in dialogue.turns.all()]
    subtasks = encoded(list[SheetPart], list(dialogue.subtasks.all()))
    return Side(side, dialogue if pair.is_live else None, dialogue.status, turns, subtasks)


def state_of(pair: Pair, given: PairVote | None) -> str:
    """`voted`, `released`, `open` while a dialogue goes on, else `to_vote`."""
    if given is not None and given.verdict:
        return "voted"
    dialogues = dialogues_of(pair).values()
    if pair.released_at is not None or any(one.status in UNCOUNTED for one in dialogues):
        return "released"
    return "open" if any(one.is_open for one in dialogues) else "to_vote"


def vote_document(given: PairVote | None, at: datetime) -> dict[str, Any]:
    """The vote as its judge reads it back; version 0 where nothing was stored."""
    return {"version": given.version if given else 0, "undo_s": undo_s(given, at), "said": content_of(given) or None}


def own_vote(pair: Pair, judge: Person) -> PairVote | None:
    return PairVote.objects.filter(pair=pair, judge=judge).first()


def pair_document(pair: Pair, judge: Person, at: datetime) -> Mapping[str, Any]:
    """A pair for a program, as the page shows it."""
    given, scenario = own_vote(pair, judge), pair.scenario
    return {
        "id": pair.pk,
        "kind": pair.kind,
        "state": state_of(pair, given),
        "scenario": {
            "key": scenario.key,
            "title": scenario.title,
            "instructions": scenario.instructions,
            "opening": scenario.opening,
            "items": scenario.items,
            "facts": scenario.facts,
        },
        **{
            one.side: {
                "dialogue": one.dialogue.pk if one.dialogue else None,
                "status": one.status,
                "turns": one.turns,
                "subtasks": one.subtasks,
            }
            for one in sides_of(pair)
        },
        "vote": vote_document(given, at),
    }
