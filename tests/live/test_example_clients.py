"""The client of docs/api.md, as a program of its own against a running server."""

import subprocess
import sys

import pytest

from tests.live.server import ROOT

pytestmark = pytest.mark.server

CLIENT = ROOT / "examples" / "clients" / "play_dialogue.py"


def test_the_example_client_plays_and_scores_a_dialogue(server, bot):
    done = subprocess.run(
        [sys.executable, CLIENT, server.base, server.tokens["tester"], "probe"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["1", "2", "3"]
    closed = server.database.rows("SELECT status, scored_at IS NOT NULL FROM dialogues_dialogue WHERE turns_used = 3")
    assert [tuple(row) for row in closed] == [("unfinished", 1)]


def test_the_example_client_is_short():
    lines = [line for line in CLIENT.read_text().partition('"""\n\n')[2].splitlines() if line.strip()]
    assert len(lines) <= 40
