"""Which two systems a judge compares next, and on which sides: from what was drawn before and a seed. Pure.

Balanced: the two systems that were compared least, first over all judges and then by this one. Adaptive: the two whose distance
is known least (`interval_widths`), and among those alike the balanced order. What is left to chance is a hash of seed and
judge, so that a drawing can be repeated from the pairs before it. Nothing here grows with the votes: they come as counts.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

from pairs.board.document import SIDES

# Two systems whatever their sides: the smaller id first.
Two = tuple[int, int]
# How often each dialogue of the two systems about a scenario was shown; one that is missing was not.
Uses = Callable[[Two, int], Mapping[str, int]]
# Ids of the systems on the left and on the right, a verdict, and how many votes gave it.
Voted = tuple[int, int, str, int]


@dataclass(frozen=True, slots=True)
class Offer:
    """What a system brings into a pair: a dialogue about a scenario, or with an empty `dialogue` the chance to have one."""

    system: int
    scenario: int
    dialogue: str = ""


@dataclass(frozen=True, slots=True)
class Met:
    """`n` pairs of two systems on these sides about a scenario, all by their ids; `n_waiting` of them have no vote yet."""

    scenario: int
    left: int
    right: int
    n: int = 1
    n_waiting: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """The next pair: offers by side."""

    left: Offer
    right: Offer

    @property
    def key(self) -> str:
        return key_of(self.left, self.right)


def two_of(one: int, other: int) -> Two:
    return (one, other) if one < other else (other, one)


def key_of(one: Offer, other: Offer) -> str:
    """What names a pair whatever its sides: its dialogues, or where they are still to come, scenario and systems."""
    if one.dialogue or other.dialogue:
        return "|".join(sorted((one.dialogue, other.dialogue)))
    first, second = two_of(one.system, other.system)
    return f"{one.scenario}:{first}:{second}"


@dataclass(slots=True)
class Counts:
    """How often what met. `left` counts lefts less rights of a system."""

    of_two: Counter[Two] = field(default_factory=Counter)
    of_two_in_scenario: Counter[tuple[Two, int]] = field(default_factory=Counter)
    of_system: Counter[int] = field(default_factory=Counter)
    of_scenario: Counter[int] = field(default_factory=Counter)
    left: Counter[int] = field(default_factory=Counter)
    waiting: Counter[Two] = field(default_factory=Counter)


def counted(met: Iterable[Met]) -> Counts:
    counts = Counts()
    for one in met:
        two = two_of(one.left, one.right)
        counts.of_two[two] += one.n
        counts.of_two_in_scenario[two, one.scenario] += one.n
        counts.of_scenario[one.scenario] += one.n
        counts.waiting[two] += one.n_waiting
        for system, side in ((one.left, one.n), (one.right, -one.n)):
            counts.of_system[system] += one.n
            counts.left[system] += side
    return counts


def lot(seed: int, *words: object) -> int:
    """A number that only seed and words decide."""
    said = "\x1f".join(str(word) for word in (seed, *words))
    return int.from_bytes(hashlib.blake2b(said.encode(), digest_size=8).digest())


def draw_pair(
    offers: Collection[Offer],
    over_all: Counts,
    own: Counts,
    *,
    seen: Collection[str],
    uses: Uses,
    judge: int,
    seed: int,
    widths: Mapping[Two, float] | None = None,
) -> Draw | None:
    """The judge's next pair; None where they have seen every pair that the offers allow.

    `over_all` counts the pairs of all judges, `own` those of this one, whose keys are `seen`; `uses` is asked once, about the two that
    are drawn. `widths` makes the draw adaptive: how wide the interval of the distance of two systems is; a missing one is as wide as
    can be. Pairs that wait for their vote narrow it already.
    """
    n_own = own.of_two.total()
    by_system: defaultdict[int, defaultdict[int, list[Offer]]] = defaultdict(lambda: defaultdict(list))
    for offer in offers:
        by_system[offer.system][offer.scenario].append(offer)

    def urgency(two: Two) -> tuple[float, ...]:
        wide = 0.0 if widths is None else -widths.get(two, float("inf")) / sqrt(1 + over_all.waiting[two])
        return (
            wide,
            over_all.of_two[two],
            own.of_two[two],
            sum(over_all.of_system[system] for system in two),
            sum(own.of_system[system] for system in two),
            _bias(two, own),
            lot(seed, judge, n_own, *two),
        )

    for two in sorted(combinations(sorted(by_system), 2), key=urgency):
        first, second = (by_system[system] for system in two)

        def rest(scenario: int, two: Two = two) -> tuple[int, ...]:
            met = over_all.of_two_in_scenario[two, scenario]
            return met, over_all.of_scenario[scenario], lot(seed, judge, n_own, scenario)

        for scenario in sorted(first.keys() & second.keys(), key=rest):
            ones, others = first[scenario], second[scenario]
            if all(key_of(one, other) in seen for one in ones for other in others):
                continue
            used = uses(two, scenario)

            def use(offer: Offer, used: Mapping[str, int] = used) -> tuple[int, int]:
                return used.get(offer.dialogue, 0), lot(seed, judge, offer.dialogue)

            meetings = _diagonals(sorted(ones, key=use), sorted(others, key=use))
            one, other = next(meeting for meeting in meetings if key_of(*meeting) not in seen)
            return _sided(one, other, over_all, own, lot(seed, judge, n_own, "side"))
    return None


def _bias(two: Two, own: Counts) -> int:
    """How much the judge's sides stay out of balance after the two met on their better sides."""
    first, second = (own.left[system] for system in two)
    return min(abs(first + 1) + abs(second - 1), abs(first - 1) + abs(second + 1)) - abs(first) - abs(second)


def _diagonals(ones: Sequence[Offer], others: Sequence[Offer]) -> Iterator[tuple[Offer, Offer]]:
    """All ways to meet: neither offer at the front is taken far more often than the other."""
    for distance in range(len(ones) + len(others) - 1):
        for index in range(max(0, distance - len(others) + 1), min(distance + 1, len(ones))):
            yield ones[index], others[distance - index]


def _sided(one: Offer, other: Offer, over_all: Counts, own: Counts, chance: int) -> Draw:
    """The side on which each was less often: for this judge, then over all; else by chance."""
    for counts in (own, over_all):
        if lean := counts.left[one.system] - counts.left[other.system]:
            return Draw(other, one) if lean > 0 else Draw(one, other)
    return Draw(one, other) if chance % 2 else Draw(other, one)


def interval_widths(votes: Iterable[Voted]) -> dict[Two, float]:
    """By two systems with votes, the standard deviation of their distance on the log scale.

    The votes are fitted as the board fits them, weakly held so that a system without a loss has a strength as well; the width follows
    from the covariance of the strengths. Empty while the votes leave systems apart that nothing compares: then each distance is
    unknown, and what was compared least comes first. Time: cubic in the systems, whatever the votes.
    """
    # numpy, which no balanced draw needs.
    from measures.bradley_terry import WEAK_PENALTY, Comparison, NoMaximum, fit

    comparisons = [Comparison(str(left), str(right), SIDES[verdict], n=n) for left, right, verdict, n in votes]
    if not comparisons:
        return {}
    try:
        found = fit(comparisons, penalty=WEAK_PENALTY)
    except NoMaximum:
        return {}
    known = found.covariance
    return {
        two_of(int(one), int(other)): sqrt(max(0.0, known[row, row] + known[column, column] - 2 * known[row, column]))
        for (row, one), (column, other) in combinations(enumerate(found.names), 2)
    }
