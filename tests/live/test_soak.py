"""What the soak makes of its figures; the soak itself is `make soak`."""

import random

import pytest

from tests.live.soak import Report, page, random_reply, slope_per_min

TOLD = {"when": "2026-01-01 08:00 UTC", "commit": "abc", "minutes": 3, "machine": "1 core", "before": 0.5, "after": 0.5}


def test_the_slope_of_memory_is_that_of_a_straight_line():
    assert slope_per_min([(60 + 5 * n, 100 + n) for n in range(20)]) == pytest.approx(12)
    assert slope_per_min([(60, 1)]) != slope_per_min([(60, 1)])


def test_a_figure_holds_fails_or_shows_nothing_and_the_page_says_which():
    report = Report()
    report.most("P13", "ready after", 9, 10, " s")
    report.most("P13", "resumed after", 31, 30, " s")
    report.most("P15", "recovered after", float("nan"), 10, " s")
    report.most("P18", "slope", 0.5, 1, " MiB/min", "3 of 60 minutes")
    report.most("P18", "overhead", 200, 150, " ms", "3 of 60 minutes")
    report.most("P18", "slope of nothing", float("nan"), 1, "", "0.1 of 60 minutes")
    assert [one.holds for one in report.lines] == [True, False, False, None, False, None]
    rows = page(report.lines, **TOLD).splitlines()[-6:]
    assert rows[0] == "| P13 | ready after | ≤ 10 s | 9 s | yes |"
    assert rows[1].endswith("| 31 s | **no** |")
    assert rows[3].endswith("| 0.5 MiB/min | not shown: 3 of 60 minutes |")


def test_the_page_says_when_other_work_used_the_machine():
    assert "other work" not in page([], **TOLD)
    assert "other work used the machine" in page([], **{**TOLD, "before": 1_000.0})


def test_replies_are_of_all_of_unicode_and_can_be_stored():
    replies = [random_reply(random.Random(n)) for n in range(200)]
    assert max(map(max, replies)) > "\U00100000"
    assert not any("\0" in one or len(one) > 201 for one in replies)
    assert all(one.encode() for one in replies)
