"""Judges that are models: pages and the API."""

from tests.judging.conftest import endpoint_of, judge_of
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/"
SAID = {"key": "scribe", "model": "scripted", "language": "en"}


def with_model(stage):
    endpoint_of(stage.campaign)
    return "", SAID


def place_of(stage, rest="", api=""):
    return f"/{api}campaigns/small/judges/{judge_of(stage.campaign).pk}/{rest}"


@tries(f"POST {C}judges/", "judge.declared")
def _(stage):
    return with_model(stage)


@tries(f"POST api/v1/{C}judges/", "judge.declared")
def _(stage):
    return with_model(stage)


@tries(f"POST {C}judges/<int:judge_id>/withdraw/", "judge.withdrawn")
def _(stage):
    return place_of(stage, "withdraw/"), {}


@tries(f"DELETE api/v1/{C}judges/<int:judge_id>/", "judge.withdrawn")
def _(stage):
    return place_of(stage, api="api/v1/"), {}
