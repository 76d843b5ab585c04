"""Checks of systems, and their way from draft to frozen."""

from datetime import timedelta

from campaigns.actions import send_back_bot
from campaigns.models import Entry
from conformance.actions import finish_fingerprint
from conformance.system_kinds import BOTS
from tests.trail_tries.table import tries
from tests.trail_tries.teams import own_bot

API = "api/v1/campaigns/<slug:slug>/"


def draft(stage):
    entry = own_bot(stage)
    send_back_bot(entry=entry, because="Please mend it.", by=stage.person("organizer"), at=stage.now)
    return Entry.objects.get(pk=entry.pk)


@tries("POST campaigns/<slug:slug>/bots/<int:entry_id>/checks/", "bot.check_asked", by="participant")
def _(stage):
    return f"/campaigns/small/bots/{own_bot(stage).pk}/checks/", {}


@tries(f"POST {API}bots/<int:entry_id>/checks/", "bot.check_asked")
def _(stage):
    return f"/api/v1/campaigns/small/bots/{own_bot(stage).pk}/checks/", {}


@tries("POST campaigns/<slug:slug>/team/bots/<int:entry_id>/submit/", "bot.submitted", by="participant")
def _(stage):
    return f"/campaigns/small/team/bots/{draft(stage).pk}/submit/", {}


@tries(f"POST {API}team/bots/<int:entry_id>/submit/", "bot.submitted", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/bots/{draft(stage).pk}/submit/", {}


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.admitted")
def _(stage):
    return "", {"bot": draft(stage).alias, "act": "admit"}


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.sent_back")
def _(stage):
    return "", {"bot": own_bot(stage).alias, "act": "send_back", "because": "It answers in English."}


def changed(stage):
    """A system that answers differently than when it was admitted."""
    entry = own_bot(stage)
    for minutes, answers in ((1, [["您好"]]), (2, [["Hello"]])):
        at = stage.now + timedelta(minutes=minutes)
        begun = entry.fingerprints.create(taken_at=at, protocol=entry.protocol, url=entry.url)
        finish_fingerprint(BOTS, begun=begun, answers=answers, at=at)
    return entry


@tries("POST campaigns/<slug:slug>/teams/bots/act/", "bot.change_accepted")
def _(stage):
    return "", {"bot": changed(stage).alias, "act": "accept_change"}


@tries(f"POST {API}teams/bots/<int:entry_id>/", "bot.change_accepted")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{changed(stage).pk}/", {"act": "accept_change"}


@tries(f"POST {API}teams/bots/<int:entry_id>/", "bot.frozen")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{own_bot(stage).pk}/", {"act": "freeze"}
