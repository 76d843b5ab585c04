"""Studies for crowds: pages and the API, and the doors of their people."""

from crowds.actions.declaring import make_study, open_study
from tests.crowds.conftest import CODES, address, comes, spec, talks
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/"
FORM = {
    "key": "wave-9", "role": "tester", "platform": "prolific", "quota": "3", "needed": "2", "minutes": "10", "pay": "4", "currency": "CNY",
}  # fmt: skip
BODY = {**FORM, "quota": 3, "needed": 2, "minutes": 10}


def draft(stage):
    return make_study(campaign=stage.campaign, spec=spec(), codes=CODES, by=stage.person("organizer"), at=stage.now)


def opened(stage):
    return open_study(study=draft(stage), by=stage.person("organizer"), at=stage.now)


def at(study, api=False):
    return f"{'/api/v1' if api else ''}/campaigns/small/studies/{study.pk}/"


@tries(f"POST {C}studies/", "study.made")
def _(stage):
    return "", FORM


@tries(f"POST api/v1/{C}studies/", "study.made")
def _(stage):
    return "", BODY


@tries(f"POST {C}studies/<int:study_id>/", "study.changed")
def _(stage):
    return at(draft(stage)), FORM


@tries(f"PUT api/v1/{C}studies/<int:study_id>/", "study.changed")
def _(stage):
    return at(draft(stage), api=True), BODY


@tries(f"POST {C}studies/<int:study_id>/act/", "study.closed")
def _(stage):
    return f"{at(opened(stage))}act/", {"act": "close"}


@tries(f"POST api/v1/{C}studies/<int:study_id>/state/", "study.opened")
def _(stage):
    return f"{at(draft(stage), api=True)}state/", {"state": "open"}


@tries(f"DELETE api/v1/{C}studies/<int:study_id>/state/", "crowd.forgotten")
def _(stage):
    study = opened(stage)
    comes(study)
    study.arrivals.update(state="left")
    return f"{at(study, api=True)}state/", {}


@tries(f"POST {C}studies/<int:study_id>/arrivals/<int:arrival_id>/", "crowd.decided")
def _(stage):
    study = opened(stage)
    return f"{at(study)}arrivals/{comes(study).pk}/", {"decision": "approved"}


@tries(f"POST api/v1/{C}studies/<int:study_id>/arrivals/<int:arrival_id>/", "crowd.decided")
def _(stage):
    study = opened(stage)
    return f"{at(study, api=True)}arrivals/{comes(study).pk}/", {"decision": "rejected", "because": "Said nothing."}


@tries(f"DELETE api/v1/{C}studies/<int:study_id>/arrivals/<int:arrival_id>/", "crowd.forgotten")
def _(stage):
    study = opened(stage)
    return f"{at(study, api=True)}arrivals/{comes(study).pk}/", {}


@tries("POST enter/<str:token>/", "crowd.started", by="p-crowd")
def _(stage):
    """Somebody who ran out of time goes on; a first visit would leave the line of the log-in beside."""
    study = opened(stage)
    arrival = named(comes(study))
    study.arrivals.filter(pk=arrival.pk).update(state="too_late")
    return address(study), {}


def named(arrival):
    arrival.person.username = "p-crowd"
    arrival.person.save()
    return arrival


@tries("POST enter/<str:token>/place/", "crowd.ended", by="p-crowd")
def _(stage):
    study = opened(stage)
    talks(named(comes(study)), 2)
    return f"/enter/{study.door}/place/", {"act": "finish"}
