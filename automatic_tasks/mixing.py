"""Mixes hidden sentences with noise, so that a service cannot tell which ones count. Pure: the seed decides all."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """One sentence as the service gets it: a running number, and which gold item it is (None: noise)."""

    number: int
    content: str
    item: str | None


def mixed(sentences: Mapping[str, str], noise: Sequence[str], ratio: float, seed: int) -> list[Asked]:
    """All sentences (by item id) and `ratio` times as many of noise, shuffled and numbered from 1.

    Noise is drawn without repetition until all of it is used. The same arguments always give the same order.
    """
    rng = random.Random(seed)
    n_noise = round(ratio * len(sentences)) if noise else 0
    drawn: list[str] = []
    while len(drawn) < n_noise:
        drawn += rng.sample(noise, min(len(noise), n_noise - len(drawn)))
    asked: list[tuple[str, str | None]] = [(content, item) for item, content in sentences.items()]
    asked += [(content, None) for content in drawn]
    rng.shuffle(asked)
    return [Asked(number, content, item) for number, (content, item) in enumerate(asked, start=1)]


def batches(asked: Sequence[Asked], size: int) -> list[Sequence[Asked]]:
    return [asked[start : start + size] for start in range(0, len(asked), size)]
