"""Dates of a campaign change with a reason, and each change is one line of the trail."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import (
    ConfirmationNeeded,
    DatesOutOfOrder,
    ReasonNeeded,
    change_calendar,
    change_settings,
    load_campaign,
)
from campaigns.calendar import NotNow
from campaigns.models import Campaign
from participants.limits import REASON_LIMIT
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
NOW = timezone.now().replace(microsecond=0)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


def change(campaign, organizer, because="", at=NOW, **named):
    options = {name: named.pop(name) for name in ("is_confirmed", "time_zone") if name in named}
    return change_calendar(campaign=campaign, dates=named, because=because, by=organizer, at=at, **options)


def lines():
    return TrailLine.objects.filter(act="calendar.changed")


def test_first_dates_need_no_reason_and_moved_ones_do(campaign, organizer):
    change(campaign, organizer, testing_from=NOW, testing_until=NOW + DAY)
    for said in (" ", "x" * (REASON_LIMIT + 1)):
        with pytest.raises(ReasonNeeded):
            change(campaign, organizer, said, testing_until=NOW + 2 * DAY)
    with pytest.raises(ReasonNeeded):  # where none is asked for, too
        change(campaign, organizer, "x" * (REASON_LIMIT + 1), review_until=NOW + 2 * DAY)
    assert Campaign.objects.get().testing_until == NOW + DAY
    (changed,) = change(campaign, organizer, "two testers were ill ", testing_until=NOW + 2 * DAY)
    assert (changed.name, changed.after, campaign.testing_until) == ("testing_until", NOW + 2 * DAY, NOW + 2 * DAY)
    line = lines().latest("number")
    assert (line.person, line.because, line.campaign) == ("organizer", "two testers were ill", "small")
    assert line.details == {"testing_until": [(NOW + DAY).isoformat(), (NOW + 2 * DAY).isoformat()]}
    assert lines().count() == 2


def test_the_same_dates_again_change_nothing_and_leave_no_line(campaign, organizer):
    change(campaign, organizer, testing_until=NOW + DAY)
    assert change(campaign, organizer, testing_until=NOW + DAY) == []
    assert lines().count() == 1


def test_another_zone_alone_is_a_line_and_moves_no_date(campaign, organizer):
    assert change(campaign, organizer, time_zone="Europe/Berlin") == []
    assert (campaign.time_zone, lines().get().details) == (
        "Europe/Berlin",
        {"time_zone": ["Asia/Shanghai", "Europe/Berlin"]},
    )


def test_dates_in_the_wrong_order_change_nothing(campaign, organizer):
    change(campaign, organizer, testing_from=NOW)
    with pytest.raises(DatesOutOfOrder) as wrong:
        change(campaign, organizer, testing_until=NOW)
    assert [(one.earlier, one.later) for one in wrong.value.wrong] == [("testing_from", "testing_until")]
    assert Campaign.objects.get().testing_until is None


def test_what_closes_at_once_is_confirmed(campaign, organizer):
    change(campaign, organizer, testing_until=NOW + DAY)
    with pytest.raises(ConfirmationNeeded):
        change(campaign, organizer, "enough", testing_until=NOW - SECOND)
    change(campaign, organizer, "enough", testing_until=NOW - SECOND, is_confirmed=True)
    assert campaign.testing_until == NOW - SECOND


def test_a_campaign_that_ended_changes_only_by_a_later_end(campaign, organizer):
    change(campaign, organizer, "over", ends_at=NOW - SECOND, is_confirmed=True)
    with pytest.raises(NotNow):
        change(campaign, organizer, "a day more", testing_until=NOW - DAY)
    with pytest.raises(NotNow):
        change_settings(campaign=campaign, changes={"reply_deadline_s": 9}, at=NOW)
    change(campaign, organizer, "one bot came late", ends_at=NOW + DAY)
    assert change_settings(campaign=campaign, changes={"reply_deadline_s": 9}, at=NOW)
    assert lines().count() == 2


def test_a_file_changes_nothing_of_what_is_over_unless_it_extends_it(campaign):
    Campaign.objects.update(ends_at=NOW - DAY)
    changed = SMALL_CAMPAIGN.replace('team = "Team Alpha"', 'team = "Team Alpha"\nname = "other"', 1)
    assert load_campaign(spec=spec_of(SMALL_CAMPAIGN), at=NOW)[1] == []
    for text in (changed, SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 6")):
        with pytest.raises(BadFile) as over:
            load_campaign(spec=spec_of(text), at=NOW)
        assert [problem.place for problem in over.value.problems] == ["[calendar] ends_at"]
    extended = SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 6")
    extended += f"[calendar]\nends_at = {(NOW + DAY).isoformat()}\n"
    assert load_campaign(spec=spec_of(extended), at=NOW)[1] == ["campaign: reply_deadline_s, ends_at changed"]


def test_a_file_is_told_which_stored_date_its_own_comes_before(campaign):
    Campaign.objects.update(testing_from=NOW)
    text = SMALL_CAMPAIGN + f"[calendar]\ntesting_until = {(NOW - DAY).isoformat()}\n"
    with pytest.raises(BadFile) as wrong:
        load_campaign(spec=spec_of(text), at=NOW)
    (problem,) = wrong.value.problems
    assert (problem.place, problem.values) == ("[calendar] testing_until", {"earlier": "testing_from"})
