"""Questions that show whether somebody reads: their answers in a fixed, scattered order, and how many were wrong. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """A question as it is shown: texts by language, and which of the answers is right."""

    question: Mapping[str, str]
    answers: tuple[Mapping[str, str], ...]
    right: int


def item_of(stored: Mapping[str, Any]) -> Item:
    """The right answer stands anywhere among the wrong ones, at the same place for everybody."""
    answers = [stored["right"], *stored["wrong"]]
    order = sorted(range(len(answers)), key=lambda index: _lot(stored, answers[index]))
    return Item(stored["question"], tuple(answers[index] for index in order), order.index(0))


def _lot(stored: Mapping[str, Any], answer: Mapping[str, str]) -> str:
    return hashlib.sha256(repr((sorted(stored["question"].items()), sorted(answer.items()))).encode()).hexdigest()


def n_wrong(items: Sequence[Mapping[str, Any]], answers: Sequence[int | None]) -> int:
    """What is not answered is wrong."""
    given = [*answers, *[None] * len(items)]
    return sum(given[index] != item_of(stored).right for index, stored in enumerate(items))
