"""What a team may hand in: the task's quota, or its own."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from audit.models import TrailLine
from automatic_tasks.actions import NotAccepted, set_quota, submit_file_run, take_back_quota
from automatic_tasks.models import TeamQuota
from automatic_tasks.runs.quotas import Allowance, allowance_of, allowances_of
from automatic_tasks.task_file import QuotaSpec
from campaigns.actions import ReasonNeeded
from campaigns.calendar import NotNow
from campaigns.models import Campaign
from reading.checking import BadForm

pytestmark = pytest.mark.django_db


@pytest.fixture
def at():
    return datetime(2030, 1, 15, 4, tzinfo=UTC)


def give(task, at, **said):
    return set_quota(task=task, spec=QuotaSpec(team="Team Alpha", reason="why", **said), by=None, at=at)


def hand_in(task, team, content, at):
    return submit_file_run(task=task, team=team, person=None, content=content, file_name="run.json", at=at)


def test_a_teams_own_quota_holds_for_it_alone_and_where_it_says_nothing_the_tasks_does(quality, team, other_team, at):
    give(quality, at, per_day=2)
    assert allowance_of(quality, team, at) == Allowance(50, 2, left=50, today=2)
    assert allowance_of(quality, other_team, at) == Allowance(50, 5, left=50, today=5)


def test_runs_are_taken_up_to_the_teams_own_quota(quality, team, good_run, at):
    give(quality, at, per_day=1, total=2)
    hand_in(quality, team, good_run, at)
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run, at)
    assert (refused.value.code, refused.value.values) == ("quota_day", {"limit": 1})
    hand_in(quality, team, good_run, at + timedelta(days=1))
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, good_run, at + timedelta(days=2))
    assert (refused.value.code, refused.value.values) == ("quota_total", {"limit": 2})
    assert allowance_of(quality, team, at + timedelta(days=2)).left == 0


def test_allowances_of_many_tasks_take_two_queries(tasks, team, at, django_assert_num_queries):
    for task in tasks.values():
        give(task, at, total=7)
    with django_assert_num_queries(2):
        allowed = allowances_of(list(tasks.values()), team, at)
    assert {one.total for one in allowed.values()} == {7}


def test_a_quota_is_in_the_trail_with_its_reason_and_the_same_again_is_not(quality, at, organizer):
    n = TrailLine.objects.count()
    quota = give(quality, at, total=0)
    give(quality, at, total=0)
    take_back_quota(quota=quota, because="no longer", by=organizer, at=at)
    lines = TrailLine.objects.order_by("number")[n:]
    assert [(line.act, line.about, line.because) for line in lines] == [
        ("task.quota_set", "quality", "why"),
        ("task.quota_taken_back", "quality", "no longer"),
    ]
    assert not TeamQuota.objects.exists()


def test_a_quota_is_not_taken_back_without_a_reason(quality, at):
    quota = give(quality, at, total=0)
    with pytest.raises(ReasonNeeded):
        take_back_quota(quota=quota, because=" ", by=None, at=at)
    assert TeamQuota.objects.exists()


def test_only_teams_of_the_campaign_have_a_quota_and_none_changes_after_the_end(quality, other_team, at):
    with pytest.raises(BadForm, match="is not a team of this campaign"):
        set_quota(task=quality, spec=QuotaSpec(team="Team Beta", total=1, reason="x"), by=None, at=at)
    Campaign.objects.update(ends_at=at - timedelta(days=1))
    with pytest.raises(NotNow):
        give(quality, at, total=1)


def test_the_database_refuses_a_quota_that_says_nothing(quality, team):
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamQuota.objects.create(task=quality, team=team, reason="x")
