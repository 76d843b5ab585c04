"""What programs read about automatic tasks: until when runs are accepted, and what a run waits for."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from automatic_tasks.actions import submit_file_run

pytestmark = pytest.mark.django_db
TASKS = "/api/v1/campaigns/small/tasks/"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def program(participant):
    client = APIClient()
    client.force_authenticate(participant)
    return client


def said_of_quality(program):
    tasks = program.get(TASKS, headers=ENGLISH).json()
    return next(task for task in tasks if task["key"] == "quality")


def test_the_dates_of_a_task_lie_within_those_of_its_campaign(program, campaign, quality):
    assert (said_of_quality(program)["runs_from"], said_of_quality(program)["runs_until"]) == (None, None)
    quality.runs_from, quality.runs_until = datetime(2020, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)
    quality.save()
    campaign.registration_from, campaign.publication_at = (
        datetime(2020, 2, 1, tzinfo=UTC),
        datetime(2030, 1, 1, tzinfo=UTC),
    )
    campaign.save()
    task = said_of_quality(program)
    assert (task["runs_from"], task["runs_until"]) == ("2020-02-01T00:00:00+00:00", "2030-01-01T00:00:00+00:00")
    assert task["closed_because"] == ""


def test_a_task_that_its_campaign_closed_says_why(program, campaign, quality):
    campaign.publication_at = datetime(2020, 1, 1, tzinfo=UTC)
    campaign.save()
    assert said_of_quality(program)["closed_because"] == "Runs were accepted until 2020-01-01 08:00 (UTC+08:00)."


def test_a_run_that_waits_says_since_when_for_whom_and_until_when(program, quality, team, good_run):
    at = timezone.now()
    submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="run.json", at=at)
    (run,) = program.get(f"{TASKS}quality/runs/", headers=ENGLISH).json()
    assert run["waits"] == {
        "since": at.isoformat(),
        "who": "for an organizer",
        "until": "until a worker is started",
    }
