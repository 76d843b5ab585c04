"""manage.py invite."""

import json
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign
from registration.actions.applying import Newcomer
from registration.actions.inviting import join
from registration.models import Invitation
from serving.own_host import note_address

pytestmark = pytest.mark.django_db


def printed(*arguments) -> str:
    out = StringIO()
    call_command("invite", *arguments, stdout=out)
    return out.getvalue()


def test_the_first_organizer_of_the_site_gets_in_by_the_printed_link(client, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    note_address("0.0.0.0", 8123)
    link = json.loads(printed("--staff", "--format", "json"))["link"]
    assert link.startswith("http://127.0.0.1:8123/invitations/")
    path = link.removeprefix("http://127.0.0.1:8123")
    form = {"username": "first", "password1": "a long and good one", "password2": "a long and good one"}
    assert client.post(path, form).status_code == 302
    assert Person.objects.get(username="first").is_staff


def test_the_first_organizer_of_a_campaign_gets_in(campaign, settings):
    settings.SITE_URL = "https://huace.example.org"
    first_line = printed("--campaign", "small").splitlines()[0]
    token = first_line.removeprefix("https://huace.example.org/invitations/").rstrip("/")
    person = join(token=token, newcomer=Newcomer("first", "a long and good one"), at=timezone.now())
    assert campaign.roles.get(person=person).role == "organizer"


def test_other_roles_and_a_team_can_be_named(campaign):
    printed(
        "--campaign", "small", "--role", "participant", "--role", "organizer", "--team", "Team Alpha", "--name", "li"
    )
    invitation = Invitation.objects.get()
    assert (invitation.roles, invitation.team.name, invitation.name) == (
        ["participant", "organizer"],
        "Team Alpha",
        "li",
    )


def test_until_when_is_said_on_the_campaigns_clocks_and_those_of_the_site_without_one(campaign):
    Campaign.objects.update(time_zone="America/New_York")
    for whereto, zone in ((["--campaign", "small"], "America/New_York"), (["--staff"], "Asia/Shanghai")):
        said = printed(*whereto).splitlines()[1]
        local = Invitation.objects.latest("pk").expires_at.astimezone(ZoneInfo(zone))
        offset = {"Asia/Shanghai": "UTC+08:00"}.get(zone) or ("UTC-04:00" if local.dst() else "UTC-05:00")
        assert said == f"It works once, until {local:%Y-%m-%d %H:%M} ({offset}). It is shown only here."


@pytest.mark.parametrize(
    "arguments",
    [
        ["--campaign", "nowhere"],
        ["--staff", "--role", "tester"],
        ["--staff", "--days", "0"],
        ["--staff", "--days", "61"],
        ["--campaign", "small", "--team", "Team Alpha"],
    ],
)
def test_what_makes_no_sense_makes_no_invitation(campaign, arguments):
    with pytest.raises(CommandError):
        printed(*arguments)
    assert not Invitation.objects.exists()
