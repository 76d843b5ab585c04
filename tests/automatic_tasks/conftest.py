"""A small campaign with an automatic task of three kinds, and what teams hand in."""

import json

import pytest

from automatic_tasks.actions import load_tasks
from automatic_tasks.boards import statistics as board_statistics
from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import read_task_file
from participants.models import Team
from tests.scoring.conftest import content_of, good_run, in_english

__all__ = ["content_of", "good_run", "in_english"]

TASKS = """
campaign = "small"

[[tasks]]
key = "intents"
type = "intent-classification"
name = {zh = "意图分类", en = "Intents"}
gold = "intent-classification/gold.jsonl"
noise = "intent-classification/noise.jsonl"
noise_ratio = 0.5
batch_size = 7

[[tasks]]
key = "quality"
type = "dialogue-quality"
name = {zh = "对话质量", en = "Quality"}
gold = "dialogue-quality/gold.json"

[[tasks]]
key = "responses"
type = "response-generation"
name = "回复生成"
gold = "response-generation/gold.jsonl"
"""


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Statistics that take no time: what they hold is tested where they are made."""
    monkeypatch.setattr(board_statistics, "N_RESAMPLES", 60)
    monkeypatch.setattr(board_statistics, "N_PERMUTATIONS", 40)


@pytest.fixture
def tasks(campaign) -> dict[str, AutomaticTask]:
    load_tasks(file=read_task_file("tasks.toml", TASKS.encode()), content_of=content_of)
    return {task.key: task for task in campaign.automatic_tasks.all()}


@pytest.fixture
def quality(tasks) -> AutomaticTask:
    return tasks["quality"]


@pytest.fixture
def team(campaign) -> Team:
    return Team.objects.get(name="Team Alpha")


@pytest.fixture
def other_team(campaign) -> Team:
    return Team.objects.create(name="Team Beta")


@pytest.fixture
def weak_run() -> bytes:
    return content_of("dialogue-quality/weak_run.json")


@pytest.fixture
def bad_run(good_run) -> bytes:
    rows = json.loads(good_run)
    rows[0]["quality"]["A"] = {"2": -1}
    return json.dumps(rows).encode()
