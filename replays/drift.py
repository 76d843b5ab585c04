"""How far a system answers otherwise than it did: of one replay, and of a round of the sentinel. Pure.

A replay is compared turn by turn with the dialogue. A round puts each canary twice: what the two replays of a canary differ by is how much
the system varies by itself, and its drift is what it differs from the dialogue beyond that. So a system that never says the same thing
twice does not drift, as in fingerprints (decision 0027); the same idea as the energy distance, 2·E|X−Y| − E|X−X′| − E|Y−Y′| (Székely and
Rizzo 2013), of which only today's spread can be measured, since the dialogue was held once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replays.differences import distance, is_same

# What was answered in a turn; None where nothing was.
Answer = Sequence[str] | None
# By the number of the turn.
Answers = Mapping[int, Answer]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`n_turns` were compared and `n_changed` of them have other words. `parts_at` is the first of these, None where all are the same.

    `distance` is the mean over the turns, in [0, 1].
    """

    n_turns: int
    n_changed: int
    parts_at: int | None
    distance: float


def is_other(old: Answer, new: Answer) -> bool:
    """Whether they have other words, or one of them is missing."""
    if old is None or new is None:
        return (old is None) != (new is None)
    return not is_same(old, new)


def compared(then: Answers, now: Answers) -> Comparison:
    """The answers of `now` beside those of `then`, turn by turn; a turn that `now` lacks was not answered.

    Where neither answered, both are the same; where one of them did, they share nothing.
    """
    changed, distances = [], []
    for number in sorted(then):
        old, new = then[number], now.get(number)
        differs = is_other(old, new)
        distances.append(float(differs) if old is None or new is None else distance(old, new))
        if differs:
            changed.append(number)
    mean = sum(distances) / len(distances) if distances else 0.0
    return Comparison(len(distances), len(changed), changed[0] if changed else None, mean)


@dataclass(frozen=True, slots=True)
class Drift:
    """`distance` is that from the dialogues, `spread` that between two replays of today, both means over canaries in [0, 1]."""

    n_canaries: int
    distance: float
    spread: float

    @property
    def drift(self) -> float:
        return max(0.0, self.distance - self.spread)

    def is_beyond(self, percent: int) -> bool:
        return 100 * self.drift > percent


def drift_of(canaries: Sequence[tuple[Answers, Sequence[Answers]]]) -> Drift | None:
    """The drift over canaries, each with the answers of its dialogue and those of today's replays; None without any.

    A canary that was put once has no spread of its own: it counts as one that does not vary.
    """
    apart, spreads = [], []
    for then, samples in canaries:
        if not samples:
            continue
        apart.append(sum(compared(then, now).distance for now in samples) / len(samples))
        among = [compared(one, other).distance for place, one in enumerate(samples) for other in samples[place + 1 :]]
        spreads.append(sum(among) / len(among) if among else 0.0)
    if not apart:
        return None
    return Drift(len(apart), sum(apart) / len(apart), sum(spreads) / len(spreads))
