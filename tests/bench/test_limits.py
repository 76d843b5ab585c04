"""A benchmark that is beyond what was promised ends with 1."""

import math
from collections import Counter

import pytest

from bench.limits import Limit, exit_code
from bench.misbehaving import Phase, Tally, limits_of
from bench.turns import CASES
from bench.turns import limits_of as limits_of_case


@pytest.mark.parametrize(("measured", "code"), [(5.0, 0), (5.01, 1), (-3.0, 0), (math.nan, 1)])
def test_beyond_a_limit_the_command_ends_with_1(measured, code, capsys):
    assert exit_code([Limit("it", 0, 1), Limit("that", measured, 5, " s")]) == code
    assert ("BEYOND the limit: that" in capsys.readouterr().out) == bool(code)


def test_only_the_case_that_promises_something_has_a_limit():
    promised = [case for case in CASES if limits_of_case(case, [1.0], is_pinned=True)]
    assert [case.name for case in promised] == ["300 dialogues, bot delay 1 s, which declares 300"]
    for ratios, holds in (([0.96, 0.951, 0.5], True), ([0.94, 0.949, 1.2], False)):
        (limit,) = limits_of_case(promised[0], ratios, is_pinned=False)
        assert limit.holds == holds


def phase(through_s, memory_mib=100):
    return Phase("", through_s, [], [], memory_kib=memory_mib * 1024)


# A healthy bot takes 0.2 s: alone nothing is added, beside the others 90 ms.
FINE = {
    "phases": [phase([0.2] * 20), phase([0.29] * 20, 164)],
    "errors": [],
    "tally": Tally(Counter({"d:1": 1}), [5.9]),
    "requests": Counter({"d:1": 2}),
}


def beyond(**changed):
    return [limit.what[:2] for limit in limits_of(**(FINE | changed)) if not limit.holds]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"phases": [phase([0.2]), phase([0.31] * 20)]}, ["P3"]),
        ({"phases": [phase([0.2]), phase([0.2] * 99 + [1.21])]}, ["P3"]),
        ({"phases": [phase([0.2]), phase([])]}, ["P3"]),
        ({"errors": ["x"]}, ["P3"]),
        ({"phases": [phase([0.2]), phase([0.2] * 20, 165)]}, ["P3"]),
        ({"tally": Tally(Counter({"d:1": 1}), [6.01])}, ["P4"]),
        ({"tally": Tally(Counter({"d:1": 1}))}, ["P4"]),
        ({"requests": Counter({"d:1": 3})}, ["P5"]),
    ],
)
def test_each_promise_about_bots_that_misbehave_is_compared(changed, found):
    assert beyond(**changed) == found
