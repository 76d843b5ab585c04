"""Allowed addresses: the page and the API."""

from participants.actions import allow_address
from tests.trail_tries.setting_up import staff
from tests.trail_tries.table import tries

A = "operate/addresses/"


def allowed(stage):
    return allow_address(place="10.1.2.0/24", port=0, by=stage.person("organizer"), at=stage.now)


@tries(f"POST {A}", "address.allowed")
def _(stage):
    staff()
    return "", {"place": "10.1.2.0/24", "port": ""}


@tries(f"POST api/v1/{A}", "address.allowed")
def _(stage):
    staff()
    return "", {"place": "bots.lab.example", "port": 8000}


@tries(f"POST {A}<int:address_id>/remove/", "address.taken_back")
def _(stage):
    staff()
    return f"/{A}{allowed(stage).pk}/remove/", {}


@tries(f"DELETE api/v1/{A}<int:address_id>/", "address.taken_back")
def _(stage):
    staff()
    return f"/api/v1/{A}{allowed(stage).pk}/", {}
