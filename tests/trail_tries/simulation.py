"""A campaign's programs: made and stopped, on the page and by the API."""

from simulation.actions import add_program
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/programs/"


def program(stage):
    return add_program(campaign=stage.campaign, username="model-a", by=None, at=stage.now).pk


@tries(f"POST {C}new/", "program.added")
def _(stage):
    return "", {"name": "model-a"}


@tries(f"POST api/v1/{C}", "program.added")
def _(stage):
    return "", {"name": "model-a"}


@tries(f"POST {C}<int:person_id>/stop/", "program.stopped")
def _(stage):
    return f"/campaigns/small/programs/{program(stage)}/stop/", {}


@tries(f"DELETE api/v1/{C}<int:person_id>/", "program.stopped")
def _(stage):
    return f"/api/v1/campaigns/small/programs/{program(stage)}/", {}
