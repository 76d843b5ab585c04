"""Automatic tasks."""

from django.core.files.uploadedfile import SimpleUploadedFile

from automatic_tasks.models import Run, RunState
from participants.models import Team
from tests.test_access import RUNS
from tests.trail_tries.table import tries


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/change/", "task.closed")
def _(stage):
    stage.fixture("run")
    return "", {"is_open": "0"}


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
    return "", {"url": "http://127.0.0.1:9/"}


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
