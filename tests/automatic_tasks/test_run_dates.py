from datetime import UTC, datetime, timedelta

from django.utils.html import strip_tags
from django.utils.translation import override

from automatic_tasks.models import AutomaticTask
from automatic_tasks.runs.quotas import last_moment_of_runs, runs_close_at, runs_open_at, why_no_runs
from campaigns.models import Campaign


def test_runs_are_accepted_until_the_publication_or_the_end_whatever_comes_first():
    campaign = Campaign(time_zone="Asia/Shanghai")
    assert strip_tags(last_moment_of_runs(campaign)) == ""
    campaign.ends_at = datetime(2030, 6, 1, 16, tzinfo=UTC)
    assert strip_tags(last_moment_of_runs(campaign)) == "2030-06-02 00:00 (UTC+08:00)"
    campaign.publication_at = datetime(2030, 5, 1, 10, tzinfo=UTC)
    assert strip_tags(last_moment_of_runs(campaign)) == "2030-05-01 18:00 (UTC+08:00)"


def test_a_task_has_dates_of_its_own_within_those_of_the_campaign():
    campaign = Campaign(time_zone="Asia/Shanghai", ends_at=datetime(2030, 6, 1, 16, tzinfo=UTC))
    first, last = datetime(2030, 3, 1, tzinfo=UTC), datetime(2030, 4, 1, tzinfo=UTC)
    task = AutomaticTask(campaign=campaign, runs_from=first, runs_until=last)
    assert strip_tags(last_moment_of_runs(campaign, task)) == "2030-04-01 08:00 (UTC+08:00)"
    with override("en"):
        early = why_no_runs(task, first - timedelta(seconds=1))
        assert early == "Runs of this task are accepted from 2030-03-01 08:00 (UTC+08:00)."
        assert why_no_runs(task, first) == why_no_runs(task, last) == ""
        late = why_no_runs(task, last + timedelta(seconds=1))
        assert late == "Runs of this task were accepted until 2030-04-01 08:00 (UTC+08:00)."
        task.is_open = False
        assert why_no_runs(task, first) == "This task is not accepting runs."


def test_the_campaigns_dates_close_a_task_like_a_hand_in_is_refused():
    opens, closes = datetime(2030, 3, 1, tzinfo=UTC), datetime(2030, 4, 1, tzinfo=UTC)
    campaign = Campaign(time_zone="Asia/Shanghai", registration_from=opens, publication_at=closes)
    task = AutomaticTask(campaign=campaign, runs_from=opens - timedelta(days=1), runs_until=closes + timedelta(days=1))
    assert (runs_open_at(task), runs_close_at(campaign, task)) == (opens, closes)
    second = timedelta(seconds=1)
    with override("en"):
        assert why_no_runs(task, opens - second) == "Runs are accepted from 2030-03-01 08:00 (UTC+08:00)."
        assert why_no_runs(task, opens) == why_no_runs(task, closes) == ""
        assert why_no_runs(task, closes + second) == "Runs were accepted until 2030-04-01 08:00 (UTC+08:00)."
