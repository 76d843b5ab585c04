"""Work happens at once, and takes no more than its share in the long run."""

import pytest

from organizing.wall.live import BURST_S, LONGEST_REST_S, SHARE, Allowance


def test_what_was_not_done_for_a_while_needs_no_rest():
    allowance = Allowance()
    allowance.note(BURST_S, 100.0)
    assert allowance.rest_s(100.0) == 0


def test_what_goes_on_and_on_takes_its_share():
    allowance, now_s, worked_s = Allowance(), 0.0, 0.0
    while now_s < 1000:
        now_s += 0.05 + allowance.rest_s(now_s)
        allowance.note(0.05, now_s)
        worked_s += 0.05
    assert worked_s == pytest.approx(SHARE * 1000, rel=0.05)


def test_a_rest_that_was_taken_is_over():
    allowance = Allowance()
    allowance.note(BURST_S + 0.15, 0.0)
    assert allowance.rest_s(0.0) == pytest.approx(0.15 / SHARE)
    assert allowance.rest_s(0.15 / SHARE) == pytest.approx(0)


def test_what_took_for_ever_once_is_forgotten():
    allowance = Allowance()
    allowance.note(60.0, 0.0)
    assert allowance.rest_s(0.0) == pytest.approx(LONGEST_REST_S)
    assert allowance.rest_s(LONGEST_REST_S) == pytest.approx(0)
