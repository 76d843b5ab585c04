"""What the organizer's program makes of a campaign file."""

import json
import tomllib
from pathlib import Path

import pytest

from campaigns.campaign_file.reader import PersonSpec
from demo.setting_up import first_organizer, line_of, new_campaign, read_file, to_invite
from registration.invitation_lines import read_invitees
from tests.conftest import SMALL_CAMPAIGN, spec_of

DEMO = Path(__file__).resolve().parents[2] / "demo"
ROLES = ("organizer", "tester", "reviewer", "participant")


@pytest.mark.parametrize("name", ["campaign.toml", "protocols.toml"])
def test_the_file_goes_up_as_it_is_but_for_its_people(name):
    content = (DEMO / name).read_bytes()
    sent = read_file(name, content).without_people
    declared = tomllib.loads(content.decode())
    del declared["people"]
    assert tomllib.loads(sent.decode()) == declared


def test_a_file_in_json_stays_one():
    declared = tomllib.loads(SMALL_CAMPAIGN)
    declared["scenarios"][0]["context"] = {"nothing": None}
    sent = read_file("campaign.json", json.dumps(declared).encode()).without_people
    assert json.loads(sent) == {name: table for name, table in declared.items() if name != "people"}


def test_whoever_makes_the_campaign_is_invited_for_other_roles_alone():
    people = [
        PersonSpec(username="ann", roles=("organizer", "tester")),
        PersonSpec(username="bob", roles=("organizer",)),
        PersonSpec(username="eve"),
    ]
    assert [(one.username, one.roles) for one in to_invite(people, "ann")] == [
        ("ann", ("tester",)),
        ("bob", ("organizer",)),
    ]


def test_the_first_organizer_of_the_file_makes_the_campaign():
    assert first_organizer(spec_of(SMALL_CAMPAIGN.replace('"organizer"\nroles', '"ann"\nroles'))) == "ann"
    assert (
        first_organizer(spec_of(SMALL_CAMPAIGN.replace('roles = ["organizer"]', 'roles = ["tester"]'))) == "organizer"
    )
    assert new_campaign(spec_of(SMALL_CAMPAIGN)) == {
        "slug": "small",
        "name_zh": "小评测",
        "name_en": "Small",
        "preset": "smp2018",
    }


def test_the_lines_of_people_are_what_an_invitation_reads():
    people = [
        PersonSpec(username="t-1", roles=("tester", "reviewer"), team="Team Alpha"),
        PersonSpec(username="p@home", roles=("participant",), team="Team Alpha"),
    ]
    pasted = "\n".join(map(line_of, people))
    read = read_invitees(pasted, roles=(), team="", role_words={role: role for role in ROLES})
    assert [(one.name, one.roles, one.team) for one in read] == [
        ("t-1", ("tester", "reviewer"), ""),
        ("p at home", ("participant",), "Team Alpha"),
    ]
