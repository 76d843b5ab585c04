"""Five failures in a row pause a bot, and probes come less and less often."""

from datetime import UTC, datetime, timedelta

import pytest

from dialogues.breaker import Failed, is_failing, pause_after_probe, pause_before_probe, probes_counted

NOW = datetime(2026, 5, 11, 9, tzinfo=UTC)


def failures(*dialogues):
    """The newest first, a minute apart."""
    return [Failed(NOW - timedelta(minutes=n), dialogue) for n, dialogue in enumerate(dialogues)]


@pytest.mark.parametrize(
    ("dialogues", "answered_min_ago", "failing"),
    [
        ("abaaa", None, True),
        ("aaaaa", None, False),
        ("aaab", None, False),
        ("aaaab", 5, True),
        ("aaaab", 4, False),
        ("aaaab", 1, False),
        ("aaaaab", None, False),
    ],
)
def test_five_in_a_row_in_more_than_one_dialogue_are_enough(dialogues, answered_min_ago, failing):
    answered_at = None if answered_min_ago is None else NOW - timedelta(minutes=answered_min_ago)
    assert is_failing(failures(*dialogues), answered_at) is failing


def test_probes_come_after_half_a_minute_then_twice_as_late_up_to_ten_minutes():
    assert [pause_before_probe(n).total_seconds() for n in range(7)] == [30, 60, 120, 240, 480, 600, 600]
    assert pause_before_probe(30_000) == timedelta(minutes=10)


def test_no_probe_comes_while_the_one_before_may_still_be_answered():
    assert pause_after_probe(1, timedelta(seconds=60)) == timedelta(seconds=60)
    assert pause_after_probe(1, timedelta(seconds=130)) == timedelta(seconds=130)
    assert pause_after_probe(9, timedelta(seconds=130)) == timedelta(minutes=10)


@pytest.mark.parametrize(("resumed_min_ago", "counted"), [(None, 0), (1, 3), (59, 3), (60, 0)])
def test_probes_count_on_for_a_bot_that_was_let_go_on_within_the_hour(resumed_min_ago, counted):
    at = datetime(2026, 5, 4, 12, tzinfo=UTC)
    resumed_at = None if resumed_min_ago is None else at - timedelta(minutes=resumed_min_ago)
    assert probes_counted(3, resumed_at, at) == counted
