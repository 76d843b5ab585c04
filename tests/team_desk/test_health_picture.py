"""A day in cells of ten minutes, and the paths that are drawn of it."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from team_desk.health_picture import (
    Call,
    Cell,
    cells_of,
    hours_of,
    picture_of,
    top_of,
    whole_of,
)

AT = datetime(2026, 5, 11, 14, 37, 12, tzinfo=UTC)


def before(minutes, latency_ms=None):
    return Call(AT - timedelta(minutes=minutes), latency_ms)


def test_a_day_ends_with_the_ten_minutes_that_go_on():
    cells = cells_of([], AT)
    assert len(cells) == 144
    assert cells[-1].since == datetime(2026, 5, 11, 14, 30, tzinfo=UTC)
    assert cells[0].since == datetime(2026, 5, 10, 14, 40, tzinfo=UTC)


def cell(*latencies_ms, n_failed=0):
    return Cell(Counter(latencies_ms), Counter({"timeout": n_failed} if n_failed else {}), since=AT)


def test_calls_count_where_they_ended_and_what_is_older_than_a_day_does_not():
    cells = cells_of([before(0, 900), before(7, 1100), before(8), before(24 * 60), before(24 * 60 - 2)], AT)
    assert (dict(cells[-1].latencies), cells[-1].n_failed) == ({900: 1, 1100: 1}, 0)
    assert cells[-2].n_failed == 1
    assert whole_of(cells).n_calls == 3


def test_shares_and_quantiles_are_those_of_the_calls():
    whole = cell(100, 200, 300, 4000, n_failed=1)
    assert whole.percent_answered == 80.0
    assert (whole.p50_ms, whole.p95_ms) == (200, 4000)
    assert cell().percent_answered is None


def test_hours_without_a_call_have_no_row():
    hours = hours_of(cells_of([before(0, 900), before(20), before(120, 500)], AT))
    assert [(hour.since.hour, hour.n_answered, hour.n_failed) for hour in hours] == [(11, 1, 0), (13, 1, 1)]


def test_the_scale_ends_at_the_first_round_number_that_holds_everything():
    assert [top_of([cell(ms)]) for ms in (0, 1000, 1001, 9000, 61_000, 500_000)] == [1, 1, 2, 10, 120, 120]


def test_a_line_breaks_where_nothing_was_answered_and_failures_stand_higher():
    cells = [cell(500), cell(1000), cell(), cell(n_failed=1), cell(0)]
    picture = picture_of(cells, width=44 + 36 + 50, n_hours=1)
    assert picture.p50 == "M48.0 55.0H50.0L59.0 14.0M88.0 96.0H90.0"
    assert picture.answered == "M49.0 116V130M59.0 116V130M89.0 116V130"
    assert picture.failed == "M79.0 110V130"
    assert picture.silent == "M69.0 123V130"
    assert picture.seconds == [(96, "0"), (55, "0.5"), (14, "1")]
    assert picture.hours == [(44.5, AT)]
