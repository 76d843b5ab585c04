"""Replies and failures one after the other make a bot's health."""

from datetime import UTC, datetime, timedelta

from organizing.wall.health import CallOutcome, Health, at_share

NOON = datetime(2026, 5, 17, 12, 0, 30, tzinfo=UTC)


def answer(latency_ms, minutes_ago=0):
    return CallOutcome(NOON - timedelta(minutes=minutes_ago), "d", 1, latency_ms=latency_ms)


def failure(fault="bot", minutes_ago=0, kind="http_5xx"):
    return CallOutcome(NOON - timedelta(minutes=minutes_ago), "d", 4, kind=kind, fault=fault)


def health_of(*outcomes):
    health = Health()
    for outcome in outcomes:
        health.hear(outcome)
    return health


def test_answers_and_failures_are_counted_apart_and_faults_of_others_are_not_the_bots():
    shown = health_of(answer(100), failure(), failure("platform"), failure("nobody"), answer(300)).shown(NOON)
    assert (shown["answered"], shown["failed"], shown["excused"]) == (2, 1, 2)


def test_three_failures_in_a_row_are_failing_since_the_first_of_them():
    health = health_of(answer(100, 9), failure(minutes_ago=8), failure(minutes_ago=7))
    assert not health.is_failing
    health.hear(failure(minutes_ago=5))
    assert health.is_failing
    assert health.failing_since == NOON - timedelta(minutes=8)


def test_a_failure_of_the_platform_neither_makes_nor_ends_a_row():
    health = health_of(failure(), failure("platform"), failure(), failure())
    assert health.is_failing
    assert health.n_in_a_row == 3


def test_an_answer_ends_the_row():
    health = health_of(failure(), failure(), failure(), answer(100))
    assert not health.is_failing
    assert health.failing_since is None


def test_percentiles_are_those_of_the_last_hour():
    health = health_of(answer(99_000, 61), *(answer(latency, 5) for latency in range(1, 21)))
    shown = health.shown(NOON)
    # Of 1 to 20 half are at most 10, and 95 of a hundred at most 19.
    assert (shown["p50_ms"], shown["p95_ms"]) == (10, 19)


def test_the_strip_has_a_bar_per_minute_and_ends_now():
    strip = health_of(answer(400, 59), answer(100, 1), answer(300, 1), failure(), answer(200)).shown(NOON)["strip"]
    assert len(strip) == 60
    assert (strip[0], strip[58], strip[59]) == ((400, 0), (100, 0), (200, 1))
    assert all(bar == (0, 0) for bar in strip[1:58])


def test_an_old_minute_leaves_the_strip():
    assert health_of(answer(400, 60)).shown(NOON)["strip"] == [(0, 0)] * 60


def test_the_last_failure_is_told_with_its_place_whoever_is_at_fault():
    shown = health_of(failure(), failure("platform", kind="interrupted"), answer(100)).shown(NOON)
    assert shown["last_failure"] == {
        "at": "2026-05-17T12:00:30+00:00", "kind": "interrupted", "fault": "platform", "dialogue": "d", "turn": 4,
    }  # fmt: skip


def test_nothing_has_no_percentile():
    assert at_share([], 0.95) is None
    assert at_share([7], 0.95) == 7
