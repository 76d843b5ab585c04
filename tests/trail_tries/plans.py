"""Plans, systems that pause, people who leave, what is handed on."""

from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.actions import pause_bot
from organizing.actions import store_metrics
from tests.trail_tries.table import tries


@tries("POST campaigns/<slug:slug>/coverage/draw/", "plan.drawn")
def _(stage):
    stage.with_plan()
    return "", {}


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.paused")
def _(stage):
    return "", {"bot": stage.alias, "act": "pause", "because": "slow"}


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.resumed")
def _(stage):
    stage.with_plan()
    pause_bot(entry=stage.campaign.entries.get(), because="slow", at=stage.now)
    return "", {"bot": stage.alias, "act": "resume", "because": "it is back"}


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.withdrawn")
def _(stage):
    stage.with_plan()
    return "", {"bot": stage.alias, "act": "withdraw", "because": "asked for it"}


@tries("POST campaigns/<slug:slug>/correlations/file/", "metrics.stored")
def _(stage):
    return "", {"file": SimpleUploadedFile("a.csv", b"system,F1\na,1\n")}


@tries("POST campaigns/<slug:slug>/correlations/file/", "metrics.removed")
def _(stage):
    store_metrics(campaign=stage.campaign, name="a.csv", content=b"system,F1\na,1\n", at=stage.now)
    return "", {"act": "remove"}


@tries("POST campaigns/<slug:slug>/assignments/<int:assignment_id>/", "assignment.reassigned")
def _(stage):
    return f"/campaigns/small/assignments/{stage.assignment().pk}/", {"tester": "substitute", "because": "ill"}


@tries("POST campaigns/<slug:slug>/assignments/many/", "assignment.reassigned")
def _(stage):
    return "", {"chosen": [str(stage.assignment().pk)], "tester": "substitute", "because": "ill"}


@tries("POST api/v1/campaigns/<slug:slug>/assignments/many/", "assignment.reassigned")
def _(stage):
    return "", {"assignments": [stage.assignment().pk], "tester": "substitute", "because": "ill"}


@tries("POST api/v1/campaigns/<slug:slug>/assignments/<int:assignment_id>/", "assignment.reassigned")
def _(stage):
    return f"/api/v1/campaigns/small/assignments/{stage.assignment().pk}/", {"tester": "substitute", "because": "ill"}


@tries("POST campaigns/<slug:slug>/calendar/", "calendar.changed")
def _(stage):
    return "", {"testing_from": "2026-01-01T09:00", "testing_until": "2099-03-15T18:00", "time_zone": "Asia/Shanghai"}


@tries("PATCH api/v1/campaigns/<slug:slug>/calendar/", "calendar.changed")
def _(stage):
    return "", {"testing_until": "2099-03-15T18:00:00+08:00"}


@tries("POST api/v1/campaigns/<slug:slug>/correlations/file/", "metrics.stored")
def _(stage):
    return "", {"file": SimpleUploadedFile("a.csv", b"system,F1\na,1\n")}


@tries("DELETE api/v1/campaigns/<slug:slug>/correlations/file/", "metrics.removed")
def _(stage):
    store_metrics(campaign=stage.campaign, name="a.csv", content=b"system,F1\na,1\n", at=stage.now)
    return "", {}


@tries("POST api/v1/campaigns/<slug:slug>/drawing/", "plan.drawn")
def _(stage):
    stage.with_plan()
    return "", {}
