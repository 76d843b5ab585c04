"""manage.py simulate against a real server, a real bot and the scripted model: it plays, goes on where it stopped, and costs what it says."""

import json
import subprocess
import sys

import pytest

from tests.fakes.scripted_model import scripted_model
from tests.live.server import ROOT

pytestmark = pytest.mark.server

DECLARE = (
    "from django.utils import timezone; from campaigns.models import Campaign; "
    "from language_models.models import ModelEndpoint; "
    "ModelEndpoint.objects.create(campaign=Campaign.objects.get(slug='probe'), key='m', url='http://127.0.0.1:{port}/v1', "
    "model='scripted', price_in=1, price_out=2, calls_a_day={calls}, declared_at=timezone.now())"
)

HOLD = (
    "from datetime import timedelta; from django.utils import timezone; from campaigns.models import Campaign; "
    "from language_models.models import ModelRun; now = timezone.now(); "
    "ModelRun.objects.create(campaign=Campaign.objects.get(slug='probe'), purpose='tester', asks_for='probe-m', "
    "worker='elsewhere:aa:1', began_at=now, lease_until=now + timedelta(hours=1))"
)


def simulate(server, port, *more):
    environment = server.environment | {
        "HUACE_OUTBOUND_ALLOW": server.environment["HUACE_OUTBOUND_ALLOW"] + f",127.0.0.1:{port}"
    }
    command = [sys.executable, "manage.py", "simulate", "probe", "--model", "m", "--server", server.base, *more]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)


def test_a_model_plays_goes_on_and_stands_apart(server):
    with scripted_model() as port:
        server.manage("shell", "-v0", "-c", DECLARE.format(port=port, calls=None))
        dry = simulate(server, port, "--n", "6", "--dry-run", "--format", "json")
        assert dry.returncode == 0, dry.stderr
        first = json.loads(dry.stdout)[0]
        assert first["request"]["model"] == "scripted"
        assert server.rows("SELECT count(*) FROM dialogues_dialogue") == [(0,)]
        done = simulate(server, port, "--n", "6", "--parallel", "3", "--format", "json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert (told["asked"], told["before"], told["played"], told["broken"]) == (6, 0, 6, [])
        assert told["calls"] >= 6
        assert float(told["cost"]) > 0
        # What was done is not done again.
        more = json.loads(simulate(server, port, "--n", "8", "--format", "json").stdout)
        assert (more["before"], more["played"]) == (6, 2)
        assert more["calls"] > told["calls"]
        # A budget that is spent stops it; what was begun goes on later.
        server.database.execute("UPDATE language_models_modelendpoint SET calls_a_day = ?", more["calls"] + 1)
        stopped = simulate(server, port, "--n", "12", "--format", "json")
        assert stopped.returncode == 1
        assert json.loads(stopped.stdout)["stopped"]
        server.database.execute("UPDATE language_models_modelendpoint SET calls_a_day = NULL")
        # A second run of the same program is refused while one goes on.
        server.manage("shell", "-v0", "-c", HOLD)
        second = simulate(server, port, "--n", "12", "--format", "json")
        assert (second.returncode, "Another run for probe-m" in second.stderr) == (1, True)
        server.database.execute("DELETE FROM language_models_modelrun")
        rest = json.loads(simulate(server, port, "--n", "12", "--format", "json").stdout)
        assert rest["before"] + rest["played"] == 12
    kinds = server.rows("SELECT DISTINCT origin, status = 'open' FROM dialogues_dialogue")
    assert [tuple(row) for row in kinds] == [("program", 0)]
    rows = server.rows("SELECT count(*), min(length(prompt_digest)), min(n_calls) FROM simulation_simulateddialogue")
    assert rows[0][0] == 12
    assert rows[0][1] == 64
    assert rows[0][2] >= 1
    server.check_invariants()
