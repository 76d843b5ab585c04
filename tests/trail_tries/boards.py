"""Leaderboards."""

from leaderboards.publication.actions.ordering import order_freeze
from tests.publishing import publish_now, snapshot_of
from tests.trail_tries.table import tries


@tries("POST campaigns/<slug:slug>/publication/freeze/", "freeze.ordered")
def _(stage):
    stage.with_records()
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/forget/", "freeze.dropped")
def _(stage):
    stage.with_records()
    order_freeze(campaign=stage.campaign, hides_teams=False, by=stage.person("organizer"), at=stage.now)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/publish/", "board.published")
def _(stage):
    snapshot_of(stage.campaign)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/withdraw/", "board.withdrawn")
def _(stage):
    publish_now(stage.campaign)
    return "", {"because": "a wrong name"}


@tries("POST campaigns/<slug:slug>/faults/change/", "faults.changed")
def _(stage):
    return "", {"failed_turns": "charged", "broken_dialogues": "counted"}


@tries("POST api/v1/campaigns/<slug:slug>/publication/", "freeze.ordered")
def _(stage):
    stage.with_records()
    return "", {}


@tries("DELETE api/v1/campaigns/<slug:slug>/publication/", "freeze.dropped")
def _(stage):
    stage.with_records()
    order_freeze(campaign=stage.campaign, hides_teams=False, by=stage.person("organizer"), at=stage.now)
    return "", {}


@tries("POST api/v1/campaigns/<slug:slug>/publication/<int:number>/", "board.published")
def _(stage):
    snapshot_of(stage.campaign)
    return "", {}


@tries("DELETE api/v1/campaigns/<slug:slug>/publication/<int:number>/", "board.withdrawn")
def _(stage):
    publish_now(stage.campaign)
    return "", {"because": "a wrong name"}


@tries("PUT api/v1/campaigns/<slug:slug>/faults/", "faults.changed")
def _(stage):
    return "", {"failed_turns": "charged", "broken_dialogues": "counted"}
