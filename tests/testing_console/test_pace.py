from testing_console.pace import USUAL_S, minutes_for, seconds_per_part


def test_without_an_ended_dialogue_the_usual_pace_holds():
    assert seconds_per_part([]) == USUAL_S == 360
    assert seconds_per_part([(0, 2), (100, 0)]) == USUAL_S


def test_the_pace_is_the_median_per_part():
    assert seconds_per_part([(200, 1), (600, 2), (1500, 3)]) == 300


def test_a_dialogue_that_stood_open_for_hours_counts_half_an_hour_per_part():
    assert seconds_per_part([(40_000, 2)]) == 1800


def test_a_dialogue_that_was_given_up_at_once_counts_a_minute_per_part():
    assert seconds_per_part([(5, 1)]) == 60


def test_minutes_are_rounded_up():
    assert [minutes_for(n, 361) for n in (0, 0.5, 1, 2)] == [0, 4, 7, 13]
