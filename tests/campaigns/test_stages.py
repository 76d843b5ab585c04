"""Draft, checked, admitted, frozen, withdrawn: which stage holds at a moment."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from campaigns.calendar import Dates
from campaigns.stages import frozen_since, has_fresh_report, stage_of

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)


def h(hours):
    return NOW + timedelta(hours=hours)


@dataclass
class Bot:
    registered_at: datetime | None = None
    draft_since: datetime | None = None
    green_at: datetime | None = None
    admitted_at: datetime | None = None
    frozen_at: datetime | None = None
    withdrawn_at: datetime | None = None


@pytest.mark.parametrize(
    ("bot", "frozen_at", "stage", "since"),
    [
        (Bot(), None, "admitted", None),
        (Bot(registered_at=h(-9)), None, "admitted", h(-9)),
        (Bot(registered_at=h(-9), admitted_at=h(-3)), None, "admitted", h(-3)),
        (Bot(draft_since=h(-5)), None, "draft", h(-5)),
        (Bot(draft_since=h(-5), green_at=h(-2)), None, "checked", h(-2)),
        (Bot(green_at=h(-2), admitted_at=h(-1)), None, "admitted", h(-1)),
        (Bot(admitted_at=h(-3)), h(-1), "frozen", h(-1)),
        (Bot(admitted_at=h(-3)), h(1), "admitted", h(-3)),
        (Bot(admitted_at=h(-3), frozen_at=h(-2)), h(1), "frozen", h(-2)),
        (Bot(draft_since=h(-5)), h(-1), "draft", h(-5)),
        (Bot(admitted_at=h(-3), withdrawn_at=h(-1)), h(-2), "withdrawn", h(-1)),
    ],
)
def test_the_furthest_stage_holds(bot, frozen_at, stage, since):
    reached = stage_of(bot, Dates(frozen_at=frozen_at), NOW)
    assert (reached.stage, reached.since) == (stage, since)


def test_the_second_of_the_freeze_is_still_open():
    assert frozen_since(Bot(), Dates(frozen_at=NOW), NOW) is None
    assert frozen_since(Bot(), Dates(frozen_at=NOW), NOW + timedelta(seconds=1)) == NOW


@pytest.mark.parametrize(
    ("green_at", "hours", "is_fresh"),
    [(None, 0, True), (None, 24, False), (h(-24), 24, True), (h(-25), 24, False), (h(-1), 24, True)],
)
def test_a_report_is_fresh_for_as_many_hours_as_are_demanded(green_at, hours, is_fresh):
    assert has_fresh_report(Bot(green_at=green_at), hours, NOW) is is_fresh
