"""Announcements to all testers, and the campaign's file in the browser."""

import re

from django.core.files.uploadedfile import SimpleUploadedFile

from dialogues.actions.announcing import make_announcement
from tests.conftest import SMALL_CAMPAIGN
from tests.trail_tries.table import tries

CHANGED = SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 7")


def announced(stage):
    return make_announcement(
        campaign=stage.campaign, by=stage.person("organizer"), zh="", en="Break", until=None, at=stage.now
    )


@tries("POST campaigns/<slug:slug>/wall/announcements/", "announcement.made")
def _(stage):
    return "", {"en": "Break"}


@tries("POST api/v1/campaigns/<slug:slug>/announcements/", "announcement.made")
def _(stage):
    return "", {"en": "Break"}


@tries("POST campaigns/<slug:slug>/wall/announcements/<int:announcement_id>/take-back/", "announcement.taken_back")
def _(stage):
    return f"/campaigns/small/wall/announcements/{announced(stage).pk}/take-back/", {"because": "over"}


@tries("DELETE api/v1/campaigns/<slug:slug>/announcements/<int:announcement_id>/", "announcement.taken_back")
def _(stage):
    return f"/api/v1/campaigns/small/announcements/{announced(stage).pk}/", {"because": "over"}


def file():
    return SimpleUploadedFile("campaign.toml", CHANGED.encode())


@tries("POST campaigns/<slug:slug>/file/", "campaign.loaded")
def _(stage):
    stage.client.force_login(stage.person("organizer"))
    shown = stage.client.post("/campaigns/small/file/", {"file": file()}).content.decode()
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown)
    return "", dict(fields) | {"act": "load"}


@tries("POST api/v1/campaigns/<slug:slug>/file/", "campaign.loaded")
def _(stage):
    stage.client.force_login(stage.person("organizer"))
    seen = stage.client.post("/api/v1/campaigns/small/file/", {"file": file()}).json()
    return "", {"file": file(), "previewed": seen["digest"]}
