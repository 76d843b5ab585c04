from datetime import UTC, datetime

from automatic_tasks.run_dates import last_moment_of_runs
from campaigns.models import Campaign


def test_runs_are_accepted_until_the_publication_or_the_end_whatever_comes_first():
    campaign = Campaign(time_zone="Asia/Shanghai")
    assert last_moment_of_runs(campaign) == ""
    campaign.ends_at = datetime(2030, 6, 1, 16, tzinfo=UTC)
    assert last_moment_of_runs(campaign) == "2030-06-02 00:00 (Asia/Shanghai)"
    campaign.publication_at = datetime(2030, 5, 1, 10, tzinfo=UTC)
    assert last_moment_of_runs(campaign) == "2030-05-01 18:00 (Asia/Shanghai)"
