from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from automatic_tasks.actions import load_tasks, score_baselines
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import read_task_file
from measures.ranking import RankingKey
from scoring.checking import BadFile
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Quota
from tests.automatic_tasks.conftest import TASKS, content_of
from tests.scoring.conftest import EXAMPLES

pytestmark = [pytest.mark.django_db]


def load(text: str):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of)


def test_the_same_file_again_changes_nothing(tasks):
    assert load(TASKS)[1] == []


def test_a_task_type_brings_its_split_and_quota(tasks):
    quality, intents = tasks["quality"], tasks["intents"]
    assert (quality.n_items, len(quality.development_ids)) == (6, 3)
    assert (quality.quota_total, quality.quota_per_day) == (50, 5)
    assert (intents.has_development, intents.has_hidden, intents.deadline_s) == (False, True, 4.0)


def test_a_task_says_which_defaults_it_keeps_after_they_changed(tasks, monkeypatch):
    load(TASKS.replace('key = "responses"', 'key = "responses"\nquota_total = 50\nquota_per_day = 5'))
    for name in ("dialogue-quality", "response-generation"):
        changed = replace(TASK_TYPES[name], quota=Quota(total=80, per_day=5))
        monkeypatch.setitem(TASK_TYPES, name, changed)
    quality, responses = AutomaticTask.objects.get(key="quality"), AutomaticTask.objects.get(key="responses")
    assert (quality.quota_total, quality.changed_defaults) == (50, [("quota_total", 50, 80)])
    assert responses.changed_defaults == []
    assert load(TASKS.replace('key = "responses"', 'key = "responses"\nquota_total = 50\nquota_per_day = 5'))[1] == [
        "task quality: quota_total, defaults changed"
    ]
    quality.refresh_from_db()
    assert (quality.quota_total, quality.changed_defaults) == (80, [])


def test_a_task_keeps_the_ranking_that_it_was_loaded_with_and_says_when_the_default_is_another(tasks, monkeypatch):
    other = (RankingKey("quality.S.rsnod", "lower"), RankingKey("quality.A.nmd", "lower"))
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", replace(TASK_TYPES["dialogue-quality"], ranking=other))
    quality = AutomaticTask.objects.get(key="quality")
    assert quality.ranking_rule == (RankingKey("quality.A.nmd", "lower"),)
    assert quality.changed_defaults == [("ranking", ["quality.A.nmd"], ["quality.S.rsnod", "quality.A.nmd"])]
    assert load(TASKS)[1] == ["task quality: ranking, defaults changed"]
    quality.refresh_from_db()
    assert (quality.ranking_rule, quality.changed_defaults) == (other, [])


def test_a_figure_that_a_later_release_dropped_is_no_key_of_the_ranking(tasks, monkeypatch):
    left = tuple(figure for figure in TASK_TYPES["dialogue-quality"].figures if figure.name != "quality.A.nmd")
    other = (RankingKey("quality.S.nmd", "lower"),)
    changed = replace(TASK_TYPES["dialogue-quality"], figures=left, ranking=other)
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", changed)
    assert tasks["quality"].ranking_rule == other


def test_another_default_share_of_feedback_is_said_and_changes_no_split_in_use(tasks, monkeypatch):
    score_baselines(task=tasks["quality"], person=None, at=timezone.now())
    changed = replace(TASK_TYPES["dialogue-quality"], development_share=1.0)
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", changed)
    assert AutomaticTask.objects.get(key="quality").changed_defaults == [("development_share", 0.5, 1.0)]
    with pytest.raises(BadFile, match="development_ids cannot be changed: runs were scored by it"):
        load(TASKS)


def test_a_declared_split_is_kept_as_it_is(campaign):
    _, changes = load(TASKS.replace('key = "quality"', 'key = "quality"\ndevelopment_ids = ["d6", "d1"]'))
    assert "task quality: added with 6 items" in changes
    assert AutomaticTask.objects.get(key="quality").development_ids == ["d1", "d6"]


def test_what_scores_depend_on_is_fixed_by_the_first_run(tasks, team):
    score_baselines(task=tasks["quality"], person=None, at=timezone.now())
    with pytest.raises(BadFile, match="options cannot be changed: runs were scored by it"):
        load(TASKS.replace('key = "quality"', 'key = "quality"\noptions = {missing = "count"}'))
    _, changes = load(TASKS.replace('key = "quality"', 'key = "quality"\ndecimals = 2'))
    assert changes == ["task quality: decimals changed"]


def test_every_problem_is_named_with_its_place(campaign):
    text = """
campaign = "small"
extra = 1
[[tasks]]
key = "a b"
type = "astrology"
name = "x"
gold = "none.json"
development_share = 3
[[tasks]]
key = "b"
type = "nugget-detection"
name = {zh = "b"}
gold = "x"
options = {alpha = 7}
ranking = ["luck"]
services = [{team = "T", url = "ftp://x"}]
"""
    with pytest.raises(BadFile) as bad:
        load(text)
    said = str(bad.value)
    for wanted in (
        "file extra: is not known here",
        "[[tasks]] 1 key: must be letters",
        "[[tasks]] 1 type: must be one of",
        "[[tasks]] 1 development_share: must be a number from 0 to 1",
        "[[tasks]] 2 options: --alpha must be a number from 0 to 1, not '7'",
        "[[tasks]] 2 ranking: “luck” is not a figure",
        "url: must start with http:// or https://",
    ):
        assert wanted in said, wanted


def test_problems_of_the_gold_are_those_of_the_file(campaign):
    with pytest.raises(BadFile) as bad:
        load(TASKS.replace("dialogue-quality/gold.json", "dialogue-quality/run.json"))
    assert "[[tasks]] 2 gold, [0].annotations: is missing" in str(bad.value)
    assert not AutomaticTask.objects.exists()


def test_an_unknown_campaign_or_file_is_an_error_in_words(campaign, tmp_path):
    with pytest.raises(BadFile, match="there is no campaign “none”"):
        load(TASKS.replace('campaign = "small"', 'campaign = "none"'))
    with pytest.raises(BadFile, match=r"gold: no\.jsonl cannot be read"):
        load(TASKS.replace("intent-classification/gold.jsonl", "no.jsonl"))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("load_tasks", tmp_path / "none.toml")


def test_the_command_says_what_it_did(campaign, tmp_path):
    file = tmp_path / "tasks.toml"
    file.write_text(TASKS.replace('gold = "', f'gold = "{EXAMPLES}/').replace('noise = "', f'noise = "{EXAMPLES}/'))
    said = StringIO()
    call_command("load_tasks", file, stderr=said)
    assert said.getvalue().endswith("small: 3 changes.\n")
