"""The task file of a stored campaign: loading what was dumped changes nothing, and dumping it again gives the same bytes."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.actions import load_tasks, set_quota
from automatic_tasks.dumping import file_of, files_of
from automatic_tasks.models import AutomaticTask, Service
from automatic_tasks.task_file import QuotaSpec, read_task_file
from campaigns.models import Campaign
from tests.automatic_tasks.conftest import TASKS, content_of

pytestmark = pytest.mark.django_db
FULL = (
    TASKS
    + """
development_ids = ["r2", "r1"]
options = {tokenizer = "characters"}
decimals = 2
min_gain = 0.5
runs_from = 2030-01-01T00:00:00+08:00
runs_until = 2030-02-01T00:00:00+08:00
services = [{team = "Team Alpha", url = "http://127.0.0.1:9/"}]
quotas = [{team = "Team Alpha", total = 3, reason = "joined late"}]

[[boards]]
key = "main"
name = {zh = "总排名", en = "Main"}
columns = [
    {figure = "completion"},
    {figure = "f1", task = "intents", split = "hidden", key = "intents", letter = "I", weight = 0.5},
]
total = {by = "sum"}
ranking = ["total"]
"""
)


def loaded(text, contents=content_of):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=contents)


def own_ids(text):
    """The file with ids that its gold has."""
    ids = sorted(AutomaticTask.objects.get(key="responses").development_ids) or ["?"]
    return text.replace('["r2", "r1"]', f'["{ids[0]}"]')


def test_a_dumped_file_changes_nothing_and_is_dumped_again_byte_by_byte(tasks, campaign, participant, organizer):
    loaded(own_ids(FULL))
    quota = QuotaSpec(team="Team Alpha", per_day=1, reason="asked for it")
    set_quota(task=tasks["quality"], spec=quota, by=organizer, at=timezone.now())
    files = dict(files_of(campaign))
    assert set(files) == {
        "tasks.toml", "intents-gold.jsonl", "intents-noise.jsonl", "quality-gold.json", "responses-gold.jsonl",
    }  # fmt: skip
    assert files["quality-gold.json"] == content_of("dialogue-quality/gold.json")
    text = files["tasks.toml"].decode()
    assert loaded(text, files.__getitem__).changes == []
    assert file_of(campaign) == text


def test_a_dumped_file_makes_the_same_tasks_elsewhere(tasks, campaign):
    loaded(own_ids(FULL))
    files = dict(files_of(campaign))
    text = files["tasks.toml"].decode()
    AutomaticTask.objects.all().delete()
    campaign.combined_boards.all().delete()
    loaded(text, files.__getitem__)
    assert file_of(campaign) == text


def test_what_a_task_leaves_to_its_type_stays_unsaid(tasks, campaign):
    text = file_of(campaign)
    assert "quota_total" not in text
    assert "development_ids" not in text
    assert "batch_size = 7" in text


def test_the_command_writes_the_folder_that_load_tasks_reads(tasks, campaign, tmp_path):
    call_command("dump_tasks", "small", tmp_path / "out", stderr=StringIO())
    line = TrailLine.objects.get(act="tasks.downloaded")
    assert (line.person, line.campaign) == ("", "small")
    said = StringIO()
    call_command("load_tasks", tmp_path / "out" / "tasks.toml", stderr=said)
    assert said.getvalue() == "small: no changes.\n"
    with pytest.raises(CommandError, match="There is no campaign 'none'"):
        call_command("dump_tasks", "none", tmp_path)


def test_a_campaign_without_tasks_has_a_file_that_can_be_loaded(campaign):
    assert loaded(file_of(Campaign.objects.get())).changes == []


def test_a_dump_says_that_a_service_is_a_draft_and_never_its_secret(tasks, campaign, team):
    Service.objects.create(
        task=tasks["intents"], team=team, url="https://a.example.com/", secret="s3cret", draft_since=timezone.now()
    )
    text = file_of(campaign)
    assert 'services = [{team = "Team Alpha", url = "https://a.example.com/", draft = true}]' in text
    assert "s3cret" not in b"".join(content for _, content in files_of(campaign)).decode()
    assert loaded(text, dict(files_of(campaign)).__getitem__).changes == []
