"""Automatic tasks."""

import json
import re

from django.core.files.uploadedfile import SimpleUploadedFile

from automatic_tasks.actions import change_task
from automatic_tasks.models import Run, RunState
from participants.models import Team
from tests.trail_tries.table import tries
from tests.world import RUNS


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/change/", "task.closed")
def _(stage):
    stage.fixture("run")
    return "", {"is_open": "0"}


def switches(act, field, state, before):
    """A switch of a task, by its page and by the API; `before` is how the task stands."""

    def stand(stage):
        change_task(task=stage.fixture("run").task, changes=before, at=stage.now)

    @tries("POST campaigns/<slug:slug>/tasks/<slug:key>/change/", act)
    def _(stage):
        stand(stage)
        return "", {field: str(int(state))}

    @tries("PATCH api/v1/campaigns/<slug:slug>/task-setup/one/<slug:key>/", act)
    def _(stage):
        stand(stage)
        return "", {field: state}


switches("task.opened", "is_open", True, {"is_open": False})
switches("task.board_shown", "board_is_open", True, {})
switches("task.board_hidden", "board_is_open", False, {"board_is_open": True})
switches("task.released", "released", True, {})
switches("task.release_withdrawn", "released", False, {"released": True})


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "baselines.started")
def _(stage):
    stage.fixture("run")
    return "", {"what": "baselines"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "runs.scored_again")
def _(stage):
    stage.fixture("run")
    Run.objects.update(state=RunState.SCORED)
    return "", {"what": "scored"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "services.called")
def _(stage):
    stage.service_task()
    team = Team.objects.get(name="Team Alpha")
    stage.campaign.automatic_tasks.get().services.create(team=team, url="http://127.0.0.1:9/")
    return "", {"what": "services"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/submit/", "run.handed_in", by="participant")
def _(stage):
    stage.fixture("run")
    return "", {"file": SimpleUploadedFile("run.json", (RUNS / "run.json").read_bytes())}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/service/", "service.registered", by="participant")
def _(stage):
    stage.service_task()
    return "", {"url": "http://service.example.com:21628/"}


@tries("POST campaigns/<slug:slug>/runs/<uuid:run_id>/choose/", "run.chosen", by="participant")
def _(stage):
    return f"/campaigns/small/runs/{stage.fixture('run').pk}/choose/", {}


@tries("POST campaigns/<slug:slug>/runs/<uuid:run_id>/again/", "run.scored_again")
def _(stage):
    found = stage.fixture("run")
    Run.objects.update(state=RunState.SCORED)
    return f"/campaigns/small/runs/{found.pk}/again/", {}


@tries("POST api/v1/campaigns/<slug:slug>/tasks/<slug:key>/runs/", "run.handed_in", by="participant")
def _(stage):
    stage.fixture("run")
    return "", {"file": SimpleUploadedFile("run.json", (RUNS / "run.json").read_bytes())}


SETUP = "campaigns/<slug:slug>/task-setup/"
ONE = f"{SETUP}one/<slug:key>/"
PLACE = "campaigns/small/task-setup/"
QUOTA = {"team": "Team Alpha", "total": 9, "reason": "lost runs"}
NEW = {"key": "own", "type": "dialogue-quality", "name": "own"}


def gold():
    return SimpleUploadedFile("gold.json", (RUNS / "gold.json").read_bytes())


def without_runs(stage):
    stage.fixture("run")
    Run.objects.all().delete()


@tries(f"POST {SETUP}new/<slug:type>/", "task.added")
def _(stage):
    stage.client.force_login(stage.person("organizer"))
    address, typed = f"/{PLACE}new/dialogue-quality/", {"key": "own", "name_zh": "x", "gold": gold()}
    shown = stage.client.post(address, typed).content.decode()
    fields = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', shown)
    return address, dict(fields) | {"act": "store"}


@tries(f"POST {ONE}", "task.edited")
def _(stage):
    stage.fixture("run")
    return "", {"quota_per_day": "9"}


@tries(f"POST {ONE}remove/", "task.removed")
def _(stage):
    without_runs(stage)
    return "", {}


@tries(f"POST {ONE}quotas/", "task.quota_set")
def _(stage):
    stage.fixture("run")
    return "", QUOTA


@tries(f"POST {ONE}quotas/", "task.quota_taken_back")
def _(stage):
    own_quota(stage)
    return "", {"team": "Team Alpha", "act": "take_back", "because": "over"}


def own_quota(stage):
    task = stage.fixture("run").task
    task.team_quotas.create(team=Team.objects.get(name="Team Alpha"), total=9, reason="lost runs")


@tries(f"POST api/v1/{SETUP}", "task.added")
def _(stage):
    return "", {"task": json.dumps(NEW), "gold": gold()}


@tries(f"PUT api/v1/{ONE}", "task.edited")
def _(stage):
    stage.fixture("run")
    return "", {"task": {"type": "dialogue-quality", "name": "another"}}


@tries(f"PATCH api/v1/{ONE}", "task.closed")
def _(stage):
    stage.fixture("run")
    return "", {"is_open": False}


@tries(f"DELETE api/v1/{ONE}", "task.removed")
def _(stage):
    without_runs(stage)
    return "", {}


@tries(f"POST api/v1/{ONE}quotas/", "task.quota_set")
def _(stage):
    stage.fixture("run")
    return "", QUOTA


@tries(f"DELETE api/v1/{ONE}quotas/", "task.quota_taken_back")
def _(stage):
    own_quota(stage)
    return "", {"team": "Team Alpha", "because": "over"}


@tries("POST api/v1/campaigns/<slug:slug>/runs/<uuid:run_id>/choose/", "run.chosen", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/runs/{stage.fixture('run').pk}/choose/", {}


@tries("POST api/v1/campaigns/<slug:slug>/runs/<uuid:run_id>/again/", "run.scored_again")
def _(stage):
    found = stage.fixture("run")
    Run.objects.update(state=RunState.SCORED)
    return f"/api/v1/campaigns/small/runs/{found.pk}/again/", {}


@tries("PUT api/v1/campaigns/<slug:slug>/tasks/<slug:key>/service/", "service.registered", by="participant")
def _(stage):
    stage.service_task()
    return "", {"url": "http://service.example.com:21628/"}


@tries("POST api/v1/campaigns/<slug:slug>/tasks/<slug:key>/start/", "baselines.started")
def _(stage):
    stage.fixture("run")
    return "", {"what": "baselines"}
