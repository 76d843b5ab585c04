"""A campaign's programs: made and stopped, on the page and by the API."""

from simulation.actions import add_program
from simulation.actions.rehearsing import start_rehearsal, stop_rehearsal
from tests.trail_tries.table import tries

C, R = "campaigns/<slug:slug>/programs/", "campaigns/<slug:slug>/rehearsals/"


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


def rehearsal(stage):
    return start_rehearsal(
        campaign=stage.campaign, entries=[stage.campaign.entries.get()], n_each=1, at_once=1, by=None, at=stage.now
    )


def over(stage):
    return stop_rehearsal(rehearsal=rehearsal(stage), by=None, at=stage.now)


for root, page in (("", "new/"), ("api/v1/", "")):

    @tries(f"POST {root}{R}{page}", "rehearsal.started")
    def _(stage):
        return "", {"systems": [stage.alias]}

    @tries(f"POST {root}{R}<uuid:rehearsal_id>/stop/", "rehearsal.stopped")
    def _(stage, root=root):
        return f"/{root}campaigns/small/rehearsals/{rehearsal(stage).pk}/stop/", {}


@tries(f"POST {R}<uuid:rehearsal_id>/remove/", "rehearsal.removed")
def _(stage):
    return f"/campaigns/small/rehearsals/{over(stage).pk}/remove/", {}


@tries(f"DELETE api/v1/{R}<uuid:rehearsal_id>/", "rehearsal.removed")
def _(stage):
    return f"/api/v1/campaigns/small/rehearsals/{over(stage).pk}/", {}
