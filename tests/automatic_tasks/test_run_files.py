"""The file of a run: for its team as it was handed in; who else takes it is on record."""

import pytest
from django.http import Http404
from django.utils import timezone

from automatic_tasks.actions import submit_file_run
from automatic_tasks.runs.files import RunFile, as_download, file_for
from tests.trail import lines_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(quality, team, good_run):
    return submit_file_run(
        task=quality, team=team, person=None, content=good_run, file_name="mine.json", at=timezone.now()
    )


def test_the_team_gets_the_bytes_it_sent_and_leaves_no_line(run, campaign, participant, good_run):
    with lines_of() as lines:
        assert file_for(participant, campaign, run, timezone.now()) == RunFile(good_run, "mine.json")
    assert lines == []


def test_an_organizer_gets_it_too_on_record(run, campaign, organizer, good_run):
    with lines_of() as lines:
        assert file_for(organizer, campaign, run, timezone.now()).content == good_run
    assert [line.act for line in lines] == ["run.downloaded"]


def test_a_service_run_without_a_score_has_no_file(run, campaign, organizer):
    run.file = None
    with pytest.raises(Http404):
        file_for(organizer, campaign, run, timezone.now())


def test_a_download_names_the_file():
    answer = as_download(RunFile(b"[]", "mine.json"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mine.json"'
    assert answer.getvalue() == b"[]"
