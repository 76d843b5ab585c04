"""What two answers have in common, word by word, and how far apart they are. Pure.

`marked` pairs words by Heckel's algorithm, which is linear in the number of words (P. Heckel, "A technique for isolating differences between
files", CACM 21(4), 1978); of pairs that cross, as in a sentence that moved, the longest ascending row is kept. `distance` is 1 minus the
coefficient of Dice (1945) over pairs of words that stand side by side, each as often as it occurs: 0 for the same answer, 1 for
answers that share no such pair. Numbers are left out of the distance, as in fingerprints (decision 0027): times and prices change every day.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# Scripts that put no space between words are compared by character.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|\s+|.", re.S
)
_NUMBERS = re.compile(r"\d+")
# A reply has at most 8,000 characters; what is longer is shown without marks.
MOST_WORDS = 20_000

Part = Literal["same", "changed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row that both answers have, or that one of them has alone."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    old: Sequence[Piece]
    new: Sequence[Piece]
    n_words: int


def words_of(text: str) -> list[str]:
    """Words, single signs and runs of spaces; joined they are the text."""
    return _WORD.findall(text)


def is_same(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether two answers have the same words in the same order, however they are spaced or cut into bubbles."""
    return _without_spaces(old) == _without_spaces(new)


def _without_spaces(texts: Sequence[str]) -> list[str]:
    return [word for text in texts for word in words_of(text) if not word.isspace()]


def distance(old: Sequence[str], new: Sequence[str]) -> float:
    """How far apart two answers are, in [0, 1]; two empty answers are the same, and an empty one shares nothing with any other."""
    mine, yours = _pairs(old), _pairs(new)
    n_both = mine.total() + yours.total()
    return 1 - 2 * (mine & yours).total() / n_both if n_both else 0.0


def _pairs(texts: Sequence[str]) -> Counter[tuple[str, str]]:
    """Neighbours, with the ends of the answer as neighbours of its first and last word."""
    words = [_NUMBERS.sub("#", word.casefold()) for word in _without_spaces(texts)]
    return Counter(zip(["", *words], [*words, ""], strict=True)) if words else Counter()


def marked(old: str, new: str, most_words: int = MOST_WORDS) -> Marked:
    """Both answers in pieces; with more than `most_words` words together they are whole pieces, changed unless they are the same."""
    ours, theirs = words_of(old), words_of(new)
    n_words = len(ours) + len(theirs)
    if n_words > most_words:
        part: Part = "same" if old == new else "changed"
        return Marked(_whole(old, part), _whole(new, part), n_words)
    pairs = _ascending(_paired(ours, theirs))
    return Marked(_pieces(ours, {place for place, _ in pairs}), _pieces(theirs, {place for _, place in pairs}), n_words)


def _whole(text: str, part: Part) -> list[Piece]:
    return [Piece(part, text)] if text else []


def _paired(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of the same word in both, by place in `new`: words that each has once, then their neighbours, forwards and backwards."""
    n_old, n_new = Counter(old), Counter(new)
    at_old = {word: place for place, word in enumerate(old)}
    found = {place: at_old[word] for place, word in enumerate(new) if n_new[word] == 1 and n_old[word] == 1}
    for step in (1, -1):
        _pair_neighbours(found, old, new, step)
    return sorted((there, place) for place, there in found.items())


def _pair_neighbours(found: dict[int, int], old: Sequence[str], new: Sequence[str], step: int) -> None:
    """Adds words whose neighbour before them (`step` 1) or behind them (-1) has its pair; the ends of both texts are a pair."""
    taken = set(found.values())
    there: int | None = -1 if step == 1 else len(old)
    for place in range(len(new))[::step]:
        if place not in found and there is not None:
            beside = there + step
            if 0 <= beside < len(old) and beside not in taken and old[beside] == new[place]:
                found[place] = beside
                taken.add(beside)
        there = found.get(place)


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of pairs that ascends in both: `pairs` ascend in the first already."""
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(lasts[length - 1] if length else -1)
        if length == len(ends):
            ends.append(place)
            lasts.append(number)
        else:
            ends[length], lasts[length] = place, number
    row, number = [], lasts[-1] if lasts else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]


def _pieces(words: Sequence[str], shared: set[int]) -> list[Piece]:
    pieces: list[Piece] = []
    run: list[str] = []
    for place, word in enumerate(words):
        part: Part = "same" if place in shared else "changed"
        if place and (place - 1 in shared) != (place in shared):
            pieces.append(Piece("same" if place - 1 in shared else "changed", "".join(run)))
            run = []
        run.append(word)
        if place == len(words) - 1:
            pieces.append(Piece(part, "".join(run)))
    return pieces
