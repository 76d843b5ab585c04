from datetime import UTC, datetime, timedelta

from dialogues.pace import USUAL_S, minutes_for, seconds_at_work, seconds_per_part

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


def at_minutes(*minutes):
    return [NOON + timedelta(minutes=one) for one in minutes]


def test_time_at_work_leaves_out_the_gaps_that_are_longer_than_a_pause():
    assert seconds_at_work(at_minutes(0, 2, 5, 65, 66)) == (2 + 3 + 1) * 60
    assert seconds_at_work(at_minutes(0, 5)) == 300, "five minutes are still work"
    assert seconds_at_work(at_minutes(0, 5.1)) == 0


def test_moments_come_in_any_order():
    assert seconds_at_work(at_minutes(3, 0, 1)) == 180
    assert seconds_at_work([]) == seconds_at_work(at_minutes(1)) == 0


def test_without_an_ended_dialogue_the_usual_pace_holds():
    assert seconds_per_part([]) == USUAL_S == 360
    assert seconds_per_part([(0, 2), (100, 0)]) == USUAL_S


def test_the_pace_is_the_median_per_part():
    assert seconds_per_part([(200, 1), (600, 2), (1500, 3)]) == 300


def test_a_dialogue_that_dragged_on_counts_half_an_hour_per_part():
    assert seconds_per_part([(40_000, 2)]) == 1800


def test_a_dialogue_that_was_given_up_at_once_counts_a_minute_per_part():
    assert seconds_per_part([(5, 1)]) == 60


def test_minutes_are_rounded_up():
    assert [minutes_for(n, 361) for n in (0, 0.5, 1, 2)] == [0, 4, 7, 13]
