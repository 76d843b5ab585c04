"""Distances as −log2 of their means, by hand: a half is 1, a quarter is 2, an eighth is 3."""

from dataclasses import replace

import pytest

from automatic_tasks.boards.rescaling import MINUS_LOG2, UnknownScale, rescaled, rescaled_statistics, scale_of
from leaderboards.board import Key, Row, Words, ranked
from scoring.task_types import TASK_TYPES

NMD = Key("quality.A.nmd", Words("A NMD", "A NMD"), "lower", 4)


def board():
    rows = [
        Row("a", "a", {NMD.name: 0.25}, intervals={NMD.name: (0.125, 0.5)}),
        Row("b", "b", {NMD.name: 0.5}, intervals={NMD.name: (0.0, 0.5)}),
        Row("copy", "copy", {NMD.name: 0.0}),
        Row("printed", "printed", {}),
    ]
    return ranked(keys=[NMD], rule=[NMD], rows=rows)


def test_figures_and_intervals_are_rescaled_and_ranks_stay():
    made = rescaled(board())
    assert [(key.better, key.words.en, key.name) for key in (*made.keys, *made.rule)] == [
        ("higher", "−log2 A NMD", NMD.name)
    ] * 2
    assert [(row.key, row.rank, row.figures.get(NMD.name), row.intervals) for row in made.rows] == [
        ("copy", 1, None, {}),
        ("a", 2, 2.0, {NMD.name: (1.0, 3.0)}),
        ("b", 3, 1.0, {}),
        ("printed", 4, None, {}),
    ]


def test_a_board_loses_what_its_tests_of_the_distances_found():
    tested = replace(board(), is_compared=True)
    tested = replace(tested, rows=tuple(replace(row, better_than=(3,)) for row in tested.rows))
    made = rescaled(tested)
    assert (made.is_compared, {row.better_than for row in made.rows}) == (False, {()})


def test_statistics_keep_ranks_and_lose_the_tests_of_the_distances():
    stored = {
        "seed": 1,
        "rows": {"a": {"intervals": {NMD.name: [0.125, 0.5]}, "rank_interval": [1, 2]}},
        "pairs": [{"one": "a", "other": "b", "ahead": 0.9, "tests": {NMD.name: {"p": 0.01}}}],
    }
    assert rescaled_statistics(stored) == {
        "seed": 1,
        "rows": {"a": {"intervals": {NMD.name: (1.0, 3.0)}, "rank_interval": [1, 2]}},
        "pairs": [{"one": "a", "other": "b", "ahead": 0.9, "tests": {}}],
    }
    assert rescaled_statistics(None) == {}


def test_only_distances_have_another_scale():
    assert scale_of("", TASK_TYPES["intent-classification"]) == ""
    assert scale_of(MINUS_LOG2, TASK_TYPES["nugget-detection"]) == MINUS_LOG2
    for asked, type in ((MINUS_LOG2, "intent-classification"), ("log10", "nugget-detection")):
        with pytest.raises(UnknownScale):
            scale_of(asked, TASK_TYPES[type])
