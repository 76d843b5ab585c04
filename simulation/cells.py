"""Which systems and scenarios a program meets, with which persona: every cell equally often. Pure.

The same seed gives the same order, and what a program had before is not drawn again before everything else.
"""

from collections.abc import Mapping, Sequence
from heapq import heapify, heapreplace

from campaigns.planning.interleaving import lot

Cell = tuple[str, str]


def cells_to_meet(
    bots: Sequence[str], scenarios: Sequence[str], had: Mapping[Cell, int], n: int, *, seed: int
) -> list[Cell]:
    """The next `n` pairs of system and scenario: those had least often first, by lot among equals. Empty without a cell."""
    waiting = [
        (had.get((bot, scenario), 0), lot(seed, bot, scenario, had.get((bot, scenario), 0)), (bot, scenario))
        for bot in bots
        for scenario in scenarios
    ]
    heapify(waiting)
    drawn: list[Cell] = []
    while waiting and len(drawn) < n:
        times, _lot, cell = waiting[0]
        heapreplace(waiting, (times + 1, lot(seed, *cell, times + 1), cell))
        drawn.append(cell)
    return drawn


def manner_of(number: int, personas: Sequence[str], difficulties: Sequence[str]) -> tuple[str, str]:
    """Persona and difficulty of a program's dialogue by its place among its dialogues, from 1: each pair equally often."""
    place = number - 1
    return personas[place % len(personas)], difficulties[place // len(personas) % len(difficulties)]


def seed_of(seed: int, number: int) -> int:
    """The seed of a dialogue: another one for each, and the same in every run with this seed."""
    return int.from_bytes(lot("dialogue", seed, number)[:4]) & 0x7FFF_FFFF
