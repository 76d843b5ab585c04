"""Dialogues over the days: pace, forecast, picture, and a tester's days; all by hand."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils.translation import override

from dialogues.daily_progress import DailyProgress, daily_progress, own_pace, paces_of_testers
from dialogues.models import Dialogue
from look.plots import Line, spark_ticks

TODAY = date(2026, 5, 10)


def progress(per_day, n_expected=40, until=None):
    return DailyProgress({TODAY - timedelta(days=ago): n for ago, n in per_day.items()}, n_expected, TODAY, until)


def test_the_pace_is_that_of_the_last_seven_days_or_since_the_first():
    assert progress({20: 30, 6: 7, 0: 7}).pace == 2
    assert progress({1: 3, 0: 1}).pace == 2


def test_the_forecast_is_the_day_on_which_all_are_done_at_that_pace():
    """20 of 40 in four days are five a day: four days more."""
    assert progress({3: 10, 0: 10}).done_on == TODAY + timedelta(days=4)
    assert progress({3: 10, 0: 10}, n_expected=41).done_on == TODAY + timedelta(days=5)


def test_without_work_left_or_at_a_standstill_nothing_is_forecast():
    assert progress({3: 40}, n_expected=40).done_on is None
    assert progress({30: 5}).done_on is None
    assert progress({1: 1}, n_expected=10_000).done_on is None


def test_it_is_late_where_all_are_done_after_testing_closes():
    assert not progress({3: 10, 0: 10}, until=TODAY + timedelta(days=4)).is_late
    late = progress({3: 10, 0: 10}, until=TODAY + timedelta(days=3))
    assert late.is_late
    with override("en"):
        assert late.sentence == (
            "5.0 dialogues per day lately: at this pace, all will be done on 2026-05-14, after testing closes on 2026-05-13."
        )


def test_the_picture_reaches_the_target_on_the_forecast_day():
    """By hand: from 6 May to 14 May, eight days over 350 units; 40 dialogues over 100."""
    marks = progress({3: 10, 0: 10}).plot.marks
    (forecast,) = [mark for mark in marks if isinstance(mark, Line) and mark.kind == "forecast"]
    assert (forecast.x, forecast.y, forecast.to_x, forecast.to_y) == (215.0, 62.0, 390.0, 12.0)
    (target,) = [mark for mark in marks if isinstance(mark, Line) and mark.kind == "target"]
    assert target.y == 12.0
    assert progress({3: 10, 0: 10}).rows == [(date(2026, 5, 7), 10, 10), (TODAY, 10, 20)]


def test_a_sparkline_has_a_tick_per_day_as_high_as_its_value():
    assert spark_ticks([0, 2, 4], pitch=5, height=10) == ("M6 10v-5M11 10v-10", "M1 10v-1")


@pytest.mark.django_db
def test_days_are_those_of_the_campaigns_clocks(dialogue, campaign):
    campaign.time_zone = "Asia/Shanghai"
    closed_at = datetime(2026, 5, 9, 17, 0, tzinfo=UTC)  # in Shanghai it is the 10th
    Dialogue.objects.filter(pk=dialogue.pk).update(
        status="completed", opened_at=closed_at - timedelta(minutes=6), closed_at=closed_at
    )
    at = datetime(2026, 5, 11, 3, 0, tzinfo=UTC)
    assert daily_progress(campaign, 10, at).per_day == {TODAY: 1}
    assert daily_progress(campaign, 10, closed_at + timedelta(hours=1)) is None, "one day shows no pace"
    (pace,) = paces_of_testers(campaign, at).values()
    assert (pace.minutes, pace.days) == (6, (*[0] * 12, 1, 0))
    assert own_pace([closed_at], campaign, at).days == pace.days
    assert own_pace([], campaign, at) is None
