"""Where the places of a drawing come in the queues of their reviewers. Pure."""

import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reviews.drawing import mix_in_gold, queue_order

# A longer queue is not written anew for a few dialogues more, which would keep other writers waiting.
SHORT_QUEUE = 200
SHARE_OF_A_LONG_QUEUE = 10


@dataclass
class Positions:
    """`new` by reviewer and dialogue; `moved` are other positions of places that there are, by their keys."""

    new: dict[tuple[int, Any], int] = field(default_factory=dict)
    moved: dict[int, int] = field(default_factory=dict)


@dataclass
class Queue:
    """A reviewer's places as a drawing leaves them: begun ones, those not begun that stay, and new ones."""

    begun: list[Any] = field(default_factory=list)
    waiting: list[Any] = field(default_factory=list)
    drawn: list[Any] = field(default_factory=list)


def positions_of(plan: Any, bots: Mapping[Any, str], *, seed: int, gold_every: int) -> Positions:
    """Of everybody whom the plan draws for; `bots` are the aliases by dialogue."""
    positions, taken = Positions(), {place.pk for place in plan.taken}
    queues: dict[int, Queue] = defaultdict(Queue)
    for wanted in plan.drawn:
        queues[wanted.reviewer_id].drawn.append(wanted)
    for place in plan.seen.places:
        queue = queues.get(place.reviewer_id)
        if queue is None or place.pk in taken:
            continue
        if place.opened_at is not None:
            queue.begun.append(place)
        elif place.released_at is None and place.done_at is None:
            queue.waiting.append(place)
    for reviewer, queue in queues.items():
        if len(queue.waiting) > SHORT_QUEUE and len(queue.drawn) * SHARE_OF_A_LONG_QUEUE < len(queue.waiting):
            _strew(positions, reviewer, queue, seed)
        else:
            _shuffle(positions, reviewer, queue, bots, seed, gold_every)
    return positions


def _strew(positions: Positions, reviewer: int, queue: Queue, seed: int) -> None:
    """Each new place goes beside one that waits; nothing that is there moves."""
    rng = random.Random(f"{seed}:{reviewer}:{len(queue.waiting)}")
    for wanted in queue.drawn:
        positions.new[reviewer, wanted.dialogue_id] = rng.choice(queue.waiting).position


def _shuffle(
    positions: Positions, reviewer: int, queue: Queue, bots: Mapping[Any, str], seed: int, gold_every: int
) -> None:
    """Shuffles the whole queue that is not begun, with gold mixed in; it goes on behind what was begun."""
    places = {place.dialogue_id: place for place in [*queue.waiting, *queue.drawn]}
    name, n_begun = str(reviewer), sum(not place.is_gold for place in queue.begun)
    panel = [(pk, bots[pk]) for pk, place in places.items() if not place.is_gold]
    gold = [pk for pk, place in places.items() if place.is_gold]
    since_gold = n_begun % gold_every if gold_every else 0
    order = queue_order(name, panel, seed=seed)
    mixed = mix_in_gold(name, order, gold, every=gold_every, seed=seed, since_gold=since_gold)
    left = queue_order(name, [(pk, bots[pk]) for pk in gold if pk not in set(mixed)], seed=seed)
    new = {wanted.dialogue_id for wanted in queue.drawn}
    first = max((place.position for place in queue.begun), default=0) + 1
    for position, pk in enumerate([*mixed, *left], start=first):
        if pk in new:
            positions.new[reviewer, pk] = position
        elif places[pk].position != position:
            positions.moved[places[pk].pk] = position
