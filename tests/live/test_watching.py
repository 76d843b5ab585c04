"""A server of two processes as watchers see it: what it counts, what it reports, and that none of it holds what people wrote."""

import asyncio
import json
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.live.server import ROOT, live
from tests.waiting import until

pytestmark = pytest.mark.server

TOKEN = "a-token-that-opens-the-figures"
SPOKEN = "gesprochenes-Geheimnis-7391"
REPLIED = "!two"
SHOUTED = f"!500 {SPOKEN}"
SECRET = "bot-secret-5512"
# Of the names and texts that the server meets: in its database, in what is sent to it, and in what its bot answers.
MARKS = (
    SPOKEN,
    SECRET,
    "Team Alpha",
    "帮我订一张",
    "一",
    "tester",
    "organizer",
    "Satz",
    TOKEN,
    "wrong-token",
    "made-up-link",
)


@pytest.fixture(scope="module")
def watched(tmp_path_factory, bot):
    environment = {"HUACE_LOG_FORMAT": "json", "HUACE_METRICS_TOKEN": TOKEN}
    with live(
        tmp_path_factory.mktemp("watched"), bot.url, processes=2, with_worker=True, environment=environment
    ) as server:
        save = f"e = Entry.objects.get(); e.secret = {SECRET!r}; e.save()"
        server.manage("shell", "-v0", "-c", f"from campaigns.models import Entry; {save}")
        yield server


def metrics_of(server, token=TOKEN):
    request = urllib.request.Request(f"{server.base}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read().decode()
    families = text_string_to_metric_families(text)
    return text, {(one.name, *sorted(one.labels.values())): one.value for family in families for one in family.samples}


def status_of(server):
    """It ends with 1: no backup was made."""
    command = [sys.executable, "manage.py", "status", "--format", "json"]
    return subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True).stdout


def lines_of(server):
    return [json.loads(line) for line in server.log.read_text().splitlines()]


async def talk(server):
    """Answered turns on several sockets, which the two processes share, and a failed one; the sockets are counted meanwhile."""
    for n in range(4):
        dialogue = server.open_dialogue()
        async with server.socket(dialogue) as client, server.socket(dialogue):
            await client.until("dialogue.state")
            for text in (f"Satz {n} {SPOKEN}", REPLIED):
                assert (await client.exchange(text))["type"] == "reply.done"
            if n == 0:
                assert (await client.exchange(SHOUTED))["type"] == "turn.failed"
                await asyncio.to_thread(until, lambda: metrics_of(server)[1][("huace_sockets", "dialogue")] == 2)
    return dialogue


def test_what_watchers_learn_of_a_contest_holds_nothing_that_people_wrote(watched, bot):
    dialogue = asyncio.run(talk(watched))
    assert all(SECRET in str(sent) for sent in bot.headers)
    assert len(bot.headers) >= 9
    assert watched.request("GET", f"/api/v1/dialogues/{dialogue}/")[0] == 200
    assert watched.request("GET", "/invitations/made-up-link/?next=gesprochenes-Geheimnis-7391", person=None)[0] in {
        404,
        410,
    }
    with pytest.raises(urllib.error.HTTPError) as refused:
        metrics_of(watched, "wrong-token")
    assert refused.value.code == 401

    # Asked again and again, either process answers: all of them must tell the same sum.
    for _ in range(6):
        text, counted = metrics_of(watched)
        assert counted[("huace_turns_total", "answered", "nobody")] == 8
        assert counted[("huace_turns_total", "bot", "http_5xx")] == 1
    assert counted[("huace_turn_stage_seconds_count", "bot")] == 9
    assert counted[("huace_turn_stage_seconds_count", "store")] >= 9
    assert counted[("huace_commits_total", "stored")] >= 18
    assert counted[("huace_dialogues_open",)] == 4
    assert counted[("huace_ready",)] == 1
    assert counted[("huace_backup_timestamp_seconds",)] == 0
    assert counted[("huace_wrong", "backup")] == 1

    until(lambda: len(watched.rows("SELECT name FROM operating_processreport")) == 3, limit_s=60)
    assert metrics_of(watched)[1][("huace_processes",)] == 2
    until(lambda: metrics_of(watched)[1][("huace_sockets", "dialogue")] == 0)
    status = json.loads(status_of(watched))
    assert sorted(one["kind"] for one in status["processes"]) == ["server", "server", "worker"]
    assert any(one["route"] == "/api/v1/dialogues/" for one in status["pages"])

    lines = lines_of(watched)
    requests = [line for line in lines if line["part"] == "huace.request"]
    assert any(one["route"] == "api/v1/dialogues/<uuid:dialogue_id>/" and one["person"] for one in requests)
    turns = [line for line in lines if line["part"] == "huace.turn"]
    assert sorted({(one["outcome"], one["fault"]) for one in turns}) == [("answered", "nobody"), ("http_5xx", "bot")]
    assert len(turns) == 9
    assert {one["turn"] for one in turns} == {1, 2, 3}
    written = watched.log.read_text() + text + json.dumps(status, ensure_ascii=False)
    assert [mark for mark in MARKS if mark in written] == []
