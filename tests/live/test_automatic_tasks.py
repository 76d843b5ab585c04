"""Automatic tasks over the real server, its worker and a real browser."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.fakes.template_service import template_service
from tests.live.server import live
from tests.waiting import until

pytestmark = [pytest.mark.server, pytest.mark.e2e]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "runs"
TASKS = f"""
campaign = "probe"
[[tasks]]
key = "intents"
type = "intent-classification"
name = {{zh = "意图分类", en = "Intents"}}
gold = "{EXAMPLES}/intent-classification/gold.jsonl"
noise = "{EXAMPLES}/intent-classification/noise.jsonl"
noise_ratio = 0.5
batch_size = 2
[[tasks]]
key = "quality"
type = "dialogue-quality"
name = {{zh = "对话质量", en = "Quality"}}
gold = "{EXAMPLES}/dialogue-quality/gold.json"
board_open = true
"""


async def slowly(call, sentences):
    await asyncio.sleep(0.15)


@pytest.fixture(scope="module")
def service():
    with template_service({}, slowly) as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory, service):
    folder = tmp_path_factory.mktemp("tasks")
    (folder / "tasks.toml").write_text(TASKS)
    with live(folder, f"http://127.0.0.1:{service.port}", with_worker=True) as running:
        running.manage("load_tasks", str(folder / "tasks.toml"))
        yield running


@pytest.fixture(scope="module")
def participant(people):
    page, errors = people.page("participant")
    yield page
    assert errors == []


def test_a_file_is_handed_in_and_its_score_appears_without_a_reload_by_hand(server, participant):
    participant.goto(f"{server.base}/campaigns/probe/tasks/quality/")
    participant.set_input_files("input[name=file]", str(EXAMPLES / "dialogue-quality" / "run.json"))
    participant.click("text=检查并评分")
    participant.wait_for_selector(".run-state.scored", timeout=30_000)
    participant.wait_for_selector("text=开发集")
    participant.goto(f"{server.base}/campaigns/probe/tasks/quality/board/development/")
    assert participant.locator("table.board tbody tr").count() == 1


def test_progress_is_live_and_a_killed_worker_loses_nothing(server, service, participant):
    participant.goto(f"{server.base}/campaigns/probe/tasks/intents/")
    participant.fill("input[name=url]", service.url)
    participant.click("text=现在开始评测")
    participant.wait_for_function(
        "() => /^ [1-9][0-9]*\\/36$/.test(document.querySelector('.run-progress')?.textContent ?? '')", timeout=30_000
    )
    (((worker,),)) = server.rows("SELECT worker FROM automatic_tasks_run WHERE state = 'running'")
    os.kill(int(worker.rpartition(":")[2]), signal.SIGKILL)
    participant.wait_for_selector(".run-state.scored", timeout=30_000)
    asked = [row["id"] for batch in service.asked for row in batch]
    # Every batch was asked; only the one that was under way at the kill may have been asked twice.
    assert set(asked) == set(range(1, 37))
    assert len(asked) <= 38
    ((n_attempts, n_done),) = server.rows("SELECT n_attempts, n_done FROM automatic_tasks_run WHERE url != ''")
    assert (n_attempts, n_done) == (2, 36)


def test_the_worker_ends_with_its_server(server):
    def workers() -> list[str]:
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                try:
                    line = (folder / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"work" in line and str(server.server.pid).encode() in line:
                    found.append(folder.name)
        return found

    assert len(workers()) == 1
    server.kill()
    until(lambda: workers() == [])
