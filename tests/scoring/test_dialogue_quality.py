import json

import pytest

from reading.checking import BadFile
from scoring.task_types import TASK_TYPES

QUALITY = TASK_TYPES["dialogue-quality"]
OPTIONS = QUALITY.default_options() | {"missing": "count"}
GOLD = json.dumps(
    [{"id": name, "annotations": [{"quality": {"A": 2, "S": 0, "E": -2}}] * 2} for name in ("d1", "d2")]
).encode()


def run_file(**scores: str) -> bytes:
    """One dialogue whose criteria have all their weight on one score."""
    return json.dumps([{"id": "d1", "quality": {name: {one: 1.0} for name, one in scores.items()}}]).encode()


def scored(content: bytes):
    gold = QUALITY.read_gold(GOLD, OPTIONS)
    return QUALITY.score(gold, QUALITY.read_run(content, gold, OPTIONS), OPTIONS)


def test_a_right_distribution_has_no_distance_and_a_missing_dialogue_the_worst():
    """By hand: d1 is 0 everywhere, d2 is missing, which is 1 everywhere."""
    result = scored(run_file(A="2", S="0", E="-2"))
    assert set(result.figures.values()) == {0.5}
    assert result.sums.tolist() == [[0.0] * 6 + [1.0], [1.0] * 7]


def test_all_weight_at_the_other_end_is_the_greatest_distance():
    """By hand: four of four steps for A, one of four for S."""
    figures = scored(run_file(A="-2", S="1", E="-2")).figures
    assert figures["quality.A.nmd"] == pytest.approx((1 + 1) / 2)
    assert figures["quality.S.nmd"] == pytest.approx((1 / 4 + 1) / 2)
    assert figures["quality.E.nmd"] == pytest.approx((0 + 1) / 2)


def test_a_criterion_that_is_left_out_is_a_problem():
    with pytest.raises(BadFile, match=r"\[0\].quality.E: is missing"):
        scored(run_file(A="2", S="0"))
