import pytest

from conformance.results import UNFINISHED, Result, Verdict, is_finished, is_green, percentile, verdict_of
from reading.findings import Finding


def result(verdict):
    return Result("reachable", verdict, Finding("", "It took %(n)s ms.", {"n": 3}), "curl x", 12)


@pytest.mark.parametrize(
    ("found", "verdict", "green"),
    [
        ([Verdict.PASS, Verdict.PASS], "pass", True),
        ([Verdict.PASS, Verdict.WARN], "warn", True),
        ([Verdict.WARN, Verdict.FAIL], "fail", False),
        ([], "fail", False),
    ],
)
def test_a_report_is_as_good_as_its_worst_result(found, verdict, green):
    assert verdict_of(result(one) for one in found) == verdict
    assert is_green(verdict) is green


def test_a_report_that_ends_with_what_the_platform_could_not_do_is_not_finished():
    assert is_finished([result(Verdict.FAIL)])
    assert not is_finished([result(Verdict.PASS), Result(UNFINISHED, Verdict.WARN, Finding("", "x", {}))])


def test_a_result_is_stored_and_read_again():
    assert Result.from_json(result(Verdict.WARN).to_json()) == result(Verdict.WARN)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.5, 0),
        ([7], 0.95, 7),
        ([4, 1, 3, 2], 0.5, 2),
        (range(1, 101), 0.95, 95),
        (range(1, 21), 0.95, 19),
        ([10] * 19 + [999], 0.95, 10),
    ],
)
def test_a_percentile_is_the_nearest_rank(values, share, expected):
    assert percentile(values, share) == expected
