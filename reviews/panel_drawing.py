"""Draws who scores which finished dialogue, and where it stands in each queue. Pure: same seed and state, same places."""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeVar

from campaigns.planning.interleaving import interleaved, lot

D = TypeVar("D", bound=Hashable)
# A small drawing is tried again and again, a large one comes out even at once.
MOST_TRIES = 40
TRIED_DIALOGUES = 2000
# A longer queue is not rewritten for a few more dialogues: that would keep other writers waiting.
SHORT_QUEUE = 200
SHARE_OF_A_LONG_QUEUE = 10


@dataclass(frozen=True, slots=True)
class Panelled:
    """A dialogue that a panel scores. `excluded` never get it: its tester, and reviewers who gave it back."""

    dialogue: Hashable
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    dialogue: Hashable
    reviewer: str


def draw_reviewers(
    dialogues: Sequence[Panelled],
    reviewers: Sequence[str],
    *,
    per_dialogue: int,
    drawn: Mapping[Hashable, AbstractSet[str]],
    seed: int,
) -> list[Place]:
    """The places that are missing until each dialogue has `per_dialogue` reviewers, or all there are for it.

    `drawn` holds everybody who has a place now, of whatever dialogue, done or not; places given back are left out. What
    is drawn stays. A place goes to the reviewer with the fewest, then to the one who shared the fewest dialogues with the
    others of this panel: loads differ by one at most unless exclusions or newcomers prevent it. Of several such drawings
    it gives the one whose two least acquainted reviewers share the most dialogues. Dialogues that few may score come
    first, so that those few are still free for them.
    """
    panels = _Panels(sorted(reviewers))
    for panel in drawn.values():
        panels.note(panel)
    missing = [panelled for panelled in dialogues if len(drawn.get(panelled.dialogue, ())) < per_dialogue]
    missing.sort(key=lambda panelled: -len(panelled.excluded))
    tries = []
    for number in range(max(1, min(MOST_TRIES, TRIED_DIALOGUES // (len(missing) or 1)))):
        tried = panels.copy(random.Random(f"{seed}:{number}"))
        tries.append((tried.draw(missing, drawn, per_dialogue), tried))
    places, _ = min(tries, key=lambda one: one[1].unevenness())
    return places


def queue_order(reviewer: str, dialogues: Iterable[tuple[D, str]], *, seed: int) -> list[D]:
    """The reviewer's own order of (dialogue, bot): shuffled, and each bot as seldom twice in a row as can be.

    It does not depend on the order given. Two dialogues of one bot keep their order when others are added, so the part
    of a queue that is not begun can be reordered whenever dialogues arrive.
    """
    order = interleaved(dialogues, kind_of=lambda pair: pair[1], lot_of=lambda pair: lot(seed, reviewer, pair[0]))
    return [dialogue for dialogue, _ in order]


def mix_in_gold(
    reviewer: str, queue: Sequence[D], gold: Iterable[D], *, every: int, seed: int, since_gold: int = 0
) -> list[D]:
    """The queue with one gold dialogue in every block of `every` dialogues, at an unpredictable place.

    `since_gold` dialogues of the block that the queue begins in were opened before. 0 for `every`: no gold.
    """
    own_gold = sorted(gold, key=lambda dialogue: lot(seed, reviewer, dialogue))
    if not every:
        return list(queue)
    mixed: list[D] = []
    own_gold.reverse()
    for number, dialogue in enumerate(queue, start=since_gold):
        block, place = divmod(number, every)
        is_here = place == random.Random(f"{seed}:{reviewer}:gold:{block}").randrange(every)
        mixed.append(dialogue)
        if is_here and own_gold:
            mixed.append(own_gold.pop())
    return mixed


class _Panels:
    """How many places each reviewer has, and how many dialogues each two of them share."""

    def __init__(self, reviewers: Sequence[str]) -> None:
        self.reviewers = reviewers
        self.rng = random.Random(0)
        self.load: Counter[str] = Counter()
        self.shared: dict[str, Counter[str]] = {reviewer: Counter() for reviewer in reviewers}

    def copy(self, rng: random.Random) -> "_Panels":
        same = _Panels(self.reviewers)
        same.rng = rng
        same.load = self.load.copy()
        same.shared = {reviewer: counts.copy() for reviewer, counts in self.shared.items()}
        return same

    def note(self, panel: Iterable[str]) -> None:
        """Reviewers who have left are skipped."""
        for reviewer in panel:
            if reviewer in self.shared:
                self.load[reviewer] += 1
                self.shared[reviewer].update(other for other in panel if other != reviewer)

    def draw(self, missing: Sequence[Panelled], drawn: Mapping[Hashable, AbstractSet[str]], size: int) -> list[Place]:
        return [
            Place(panelled.dialogue, reviewer)
            for panelled in missing
            for reviewer in self.fill(set(drawn.get(panelled.dialogue, ())), panelled.excluded, size)
        ]

    def fill(self, panel: set[str], excluded: AbstractSet[str], size: int) -> list[str]:
        """Who joins the panel; they are counted."""
        joining: list[str] = []
        while len(panel) < size:
            free = [one for one in self.reviewers if one not in panel and one not in excluded]
            if not free:
                break
            fewest = min(self.load[one] for one in free)
            least = [one for one in free if self.load[one] == fewest]
            chosen = min(least, key=lambda one: (self.overlap(one, panel), self.rng.random()))
            self.join(chosen, panel)
            joining.append(chosen)
        return joining

    def join(self, reviewer: str, panel: set[str]) -> None:
        for other in panel & self.shared.keys():
            self.shared[other][reviewer] += 1
            self.shared[reviewer][other] += 1
        self.load[reviewer] += 1
        panel.add(reviewer)

    def overlap(self, reviewer: str, panel: Iterable[str]) -> int:
        return sum(self.shared[reviewer][other] for other in panel)

    def unevenness(self) -> tuple[int, int, int]:
        """The least is the best: the greatest load first, then the smallest overlap of a pair, then the greatest."""
        pairs = [self.shared[one][other] for one, other in combinations(self.reviewers, 2)]
        return max(self.load.values(), default=0), -min(pairs, default=0), max(pairs, default=0)


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
