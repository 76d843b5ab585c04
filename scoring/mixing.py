"""Mixes hidden sentences with noise, so that a service cannot tell which ones count. Pure: the seed decides all."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Each sentence in the order in which it is asked: the id of a gold item, or the place of a sentence of noise in its file.
Order = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Asked:
    """One sentence as the service gets it: a running number, and which gold item it is (None: noise)."""

    number: int
    content: str
    item: str | None


def drawn_order(items: Sequence[str], n_noise_sentences: int, ratio: float, seed: int) -> list[str | int]:
    """All items (by id) and `ratio` times as many sentences of noise (by place, from 0), shuffled.

    Noise is drawn without repetition until all of it is used. The same arguments always give the same order.
    """
    rng = random.Random(seed)
    n_noise = round(ratio * len(items)) if n_noise_sentences else 0
    drawn: list[int] = []
    while len(drawn) < n_noise:
        drawn += rng.sample(range(n_noise_sentences), min(n_noise_sentences, n_noise - len(drawn)))
    order: list[str | int] = [*items, *drawn]
    rng.shuffle(order)
    return order


def numbered(order: Order, sentences: Mapping[str, str], noise: Sequence[str]) -> list[Asked]:
    """The sentences of an order, numbered from 1."""
    return [
        Asked(number, noise[drawn], None) if isinstance(drawn, int) else Asked(number, sentences[drawn], drawn)
        for number, drawn in enumerate(order, start=1)
    ]


def batches(asked: Sequence[Asked], size: int) -> list[Sequence[Asked]]:
    return [asked[start : start + size] for start in range(0, len(asked), size)]
