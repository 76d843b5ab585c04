"""Teams: applications, agreement, data, systems of their own."""

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Person
from campaigns.actions import load_campaign, register_bot
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team
from registration.actions import ask_team, make_dial_key, upload_package
from registration.models import Application
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.registration.conftest import FORM, agree_on, apply
from tests.trail_tries.table import tries

URL = "https://own.example.com/"
TYPED = FORM | {"members": "wang\nli@example.org"}
TEXT = {"text_zh": "只用于评测。", "text_en": ""}


def takes_applications(stage):
    stage.campaign.takes_applications = True
    stage.campaign.save()
    return Person.objects.create_user("applicant")


def applied(stage):
    return apply(stage.campaign, takes_applications(stage))


def uploaded(stage):
    by = stage.person("organizer")
    return upload_package(
        campaign=stage.campaign, file_name="data.zip", content=ContentFile(b"data"), about="", by=by, at=stage.now
    )


def own_bot(stage):
    """A system that Team Alpha registered and nobody has talked to."""
    form = read_bot({"name": "Own bot", "url": URL}, ADAPTERS)
    team, by = Team.objects.get(name="Team Alpha"), stage.person("participant")
    return register_bot(campaign=stage.campaign, team=team, form=form, by=by, at=stage.now)


@tries("POST campaigns/<slug:slug>/apply/", "team.applied", by="applicant")
def _(stage):
    takes_applications(stage)
    return "", TYPED


@tries("POST api/v1/campaigns/<slug:slug>/application/newcomer/", "team.applied", by="")
def _(stage):
    takes_applications(stage)
    return "", FORM | {"username": "newcomer", "password": "a long and good one"}


@tries("POST campaigns/<slug:slug>/apply/withdraw/", "team.application_withdrawn", by="applicant")
def _(stage):
    applied(stage)
    return "", {}


@tries("POST campaigns/<slug:slug>/teams/applications/<int:application_id>/", "team.approved")
def _(stage):
    return f"/campaigns/small/teams/applications/{applied(stage).pk}/", {"act": "approve"}


@tries("POST campaigns/<slug:slug>/teams/applications/<int:application_id>/", "team.refused")
def _(stage):
    applied(stage)
    address = f"/campaigns/small/teams/applications/{Application.objects.get().pk}/"
    return address, {"act": "refuse", "because": "full"}


def asked_team(stage, *, by_other=False):
    """A request of the campaign to a team elsewhere, or of another campaign to its Team Alpha."""
    campaign = stage.campaign
    if by_other:
        campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"').replace("Alpha", "Beta")))
    name = "Team Alpha" if by_other else "Team Gamma"
    return ask_team(campaign=campaign, name=name, by=stage.person("organizer"), at=stage.now).pk


@tries("POST campaigns/<slug:slug>/teams/requests/", "team.asked")
def _(stage):
    return "", {"name": "Team Gamma"}


@tries("POST campaigns/<slug:slug>/teams/requests/<int:team_request_id>/withdraw/", "team.request_withdrawn")
def _(stage):
    return f"/campaigns/small/teams/requests/{asked_team(stage)}/withdraw/", {}


@tries("POST campaigns/<slug:slug>/team/requests/<int:team_request_id>/", "team.accepted", by="participant")
def _(stage):
    return f"/campaigns/small/team/requests/{asked_team(stage, by_other=True)}/", {"act": "accept"}


@tries("POST campaigns/<slug:slug>/team/requests/<int:team_request_id>/", "team.declined", by="participant")
def _(stage):
    return f"/campaigns/small/team/requests/{asked_team(stage, by_other=True)}/", {"act": "decline"}


@tries("POST campaigns/<slug:slug>/teams/agreement/", "agreement.written")
def _(stage):
    return "", TEXT


@tries("POST campaigns/<slug:slug>/team/agreement/", "agreement.accepted", by="participant")
def _(stage):
    agree_on(stage.campaign, "只用于评测。", by=stage.person("organizer"))
    return "", {"version": "1"}


@tries("POST campaigns/<slug:slug>/teams/data/", "package.uploaded")
def _(stage):
    return "", {"file": SimpleUploadedFile("data.zip", b"data"), "about": "training"}


@tries("POST campaigns/<slug:slug>/teams/data/<int:package_id>/remove/", "package.removed")
def _(stage):
    return f"/campaigns/small/teams/data/{uploaded(stage).pk}/remove/", {}


@tries("POST campaigns/<slug:slug>/teams/", "bot.registered")
def _(stage):
    return "", {"team": "Team Alpha", "name": "Late bot", "url": URL, "protocol": "huace/1"}


@tries("POST campaigns/<slug:slug>/team/", "bot.registered", by="participant")
def _(stage):
    return "", {"name": "Own bot", "url": URL, "protocol": "huace/1"}


@tries("POST campaigns/<slug:slug>/teams/bots/<int:entry_id>/", "bot.address_changed")
def _(stage):
    return f"/campaigns/small/teams/bots/{own_bot(stage).pk}/", {"url": f"{URL}2", "protocol": "huace/1"}


@tries("POST campaigns/<slug:slug>/team/bots/<int:entry_id>/", "bot.address_changed", by="participant")
def _(stage):
    return f"/campaigns/small/team/bots/{own_bot(stage).pk}/", {"url": f"{URL}2", "protocol": "huace/1"}


@tries("POST campaigns/<slug:slug>/team/bots/<int:entry_id>/withdraw/", "bot.taken_out", by="participant")
def _(stage):
    return f"/campaigns/small/team/bots/{own_bot(stage).pk}/withdraw/", {"because": "not ready"}


# The same acts by the API

API = "api/v1/campaigns/<slug:slug>/"
ADDRESS = {"url": f"{URL}2", "protocol": "huace/1"}


@tries(f"POST {API}application/", "team.applied", by="applicant")
def _(stage):
    takes_applications(stage)
    return "", FORM


@tries(f"DELETE {API}application/", "team.application_withdrawn", by="applicant")
def _(stage):
    applied(stage)
    return "", {}


@tries(f"POST {API}teams/applications/<int:application_id>/", "team.approved")
def _(stage):
    return f"/api/v1/campaigns/small/teams/applications/{applied(stage).pk}/", {"act": "approve"}


@tries(f"POST {API}teams/requests/", "team.asked")
def _(stage):
    return "", {"name": "Team Gamma"}


@tries(f"DELETE {API}teams/requests/<int:team_request_id>/", "team.request_withdrawn")
def _(stage):
    return f"/api/v1/campaigns/small/teams/requests/{asked_team(stage)}/", {}


@tries(f"POST {API}team/requests/<int:team_request_id>/", "team.accepted", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/requests/{asked_team(stage, by_other=True)}/", {"accepts": True}


@tries(f"POST {API}teams/agreement/", "agreement.written")
def _(stage):
    return "", TEXT


@tries(f"POST {API}team/agreement/", "agreement.accepted", by="participant")
def _(stage):
    agree_on(stage.campaign, "只用于评测。", by=stage.person("organizer"))
    return "", {"version": 1}


@tries(f"POST {API}teams/data/", "package.uploaded")
def _(stage):
    return "", {"file": SimpleUploadedFile("data.zip", b"data"), "about": "training"}


@tries(f"DELETE {API}teams/data/<int:package_id>/", "package.removed")
def _(stage):
    return f"/api/v1/campaigns/small/teams/data/{uploaded(stage).pk}/", {}


@tries(f"POST {API}teams/bots/", "bot.registered")
def _(stage):
    return "", {"team": "Team Alpha", "name": "Late bot", "url": URL, "protocol": "huace/1"}


@tries(f"POST {API}team/bots/", "bot.registered", by="participant")
def _(stage):
    return "", {"name": "Own bot", "url": URL, "protocol": "huace/1"}


@tries(f"PUT {API}teams/bots/<int:entry_id>/", "bot.address_changed")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{own_bot(stage).pk}/", ADDRESS


@tries(f"POST {API}teams/bots/<int:entry_id>/", "bot.paused")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{own_bot(stage).pk}/", {"act": "pause", "because": "slow"}


@tries(f"PUT {API}team/bots/<int:entry_id>/", "bot.address_changed", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/bots/{own_bot(stage).pk}/", ADDRESS


@tries(f"DELETE {API}team/bots/<int:entry_id>/", "bot.taken_out", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/bots/{own_bot(stage).pk}/", {"because": "not ready"}


# A length of a number cannot be sent, so nobody is called; the line is there before.
TRIED = {
    "url": URL, "protocol": "mapping", "option-request": '{"a": "{{length(turn)}}"}', "option-reply": "a", "act": "try",
}  # fmt: skip


@tries("POST campaigns/<slug:slug>/team/try/", "bot.tried", by="participant")
def _(stage):
    return "", TRIED


@tries("POST campaigns/<slug:slug>/teams/try/", "bot.tried")
def _(stage):
    return "", TRIED


@tries(f"POST {API}team/try/", "bot.tried", by="participant")
@tries(f"POST {API}teams/try/", "bot.tried")
def _(stage):
    return "", {"url": URL, "protocol": "mapping", "options": {"request": '{"a": "{{length(turn)}}"}', "reply": "a"}}


@tries(f"POST {API}team/find/", "bot.protocol_asked", by="participant")
@tries(f"POST {API}teams/find/", "bot.protocol_asked")
def _(stage):
    # No such name can be looked up, so nobody is asked; the line is there before.
    return "", {"url": "https://own..example.com/"}


# The key of a system that connects itself


def dial_out(stage):
    form = read_bot({"name": "Behind a wall", "protocol": "dial-out"}, ADAPTERS)
    team, by = Team.objects.get(name="Team Alpha"), stage.person("participant")
    return register_bot(campaign=stage.campaign, team=team, form=form, by=by, at=stage.now)


def with_key(stage):
    entry = dial_out(stage)
    make_dial_key(entry=entry, by=None, at=stage.now)
    return entry


@tries("POST campaigns/<slug:slug>/team/bots/<int:entry_id>/key/", "bot.dial_key_made", by="participant")
def _(stage):
    return f"/campaigns/small/team/bots/{dial_out(stage).pk}/key/", {"act": "make"}


@tries("POST campaigns/<slug:slug>/teams/bots/<int:entry_id>/key/", "bot.dial_key_revoked")
def _(stage):
    return f"/campaigns/small/teams/bots/{with_key(stage).pk}/key/", {"act": "revoke"}


@tries(f"POST {API}team/bots/<int:entry_id>/key/", "bot.dial_key_made", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/bots/{dial_out(stage).pk}/key/", {}


@tries(f"DELETE {API}team/bots/<int:entry_id>/key/", "bot.dial_key_revoked", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/team/bots/{with_key(stage).pk}/key/", {}


@tries(f"POST {API}teams/bots/<int:entry_id>/key/", "bot.dial_key_made")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{dial_out(stage).pk}/key/", {}


@tries(f"DELETE {API}teams/bots/<int:entry_id>/key/", "bot.dial_key_revoked")
def _(stage):
    return f"/api/v1/campaigns/small/teams/bots/{with_key(stage).pk}/key/", {}
