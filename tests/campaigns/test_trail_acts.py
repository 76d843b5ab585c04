"""Each act on a campaign leaves one line of the trail, also where it does what another act does, too."""

import pytest
from django.utils import timezone

from campaigns.actions import (
    change_settings,
    draw_assignments,
    issue_passwords,
    issue_tokens,
    load_campaign,
    pause_bot,
    resume_bot,
    withdraw_bot,
)
from campaigns.actions.leaving import leave_as_tester
from campaigns.models import Role
from reading.kinds import Texts
from tests.campaigns.test_assigning import drawn
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.trail import lines_of

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def person(outsider):
    return outsider


def test_a_new_campaign_is_one_line_with_all_that_the_file_brought(person):
    with lines_of() as lines:
        load_campaign(spec=spec_of(SMALL_CAMPAIGN), by=person)
    (line,) = lines
    assert (line.act, line.person, line.campaign) == ("campaign.created", "outsider", "small")
    assert "campaign small created" in line.details["changes"]
    assert "person tester: tester" in line.details["changes"]


def test_a_file_that_changes_settings_and_the_plan_is_one_line(drawn, campaign, person):
    with lines_of() as lines:
        load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 6")), by=person)
    (line,) = lines
    assert line.act == "campaign.loaded"
    assert line.details == {"changes": ["campaign: reply_deadline_s changed"]}


def test_a_file_that_says_nothing_new_leaves_no_line(campaign):
    with lines_of() as lines:
        load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    assert lines == []


def test_a_secret_of_a_file_is_not_in_the_trail(campaign):
    url = 'url = "http://127.0.0.1:9/"'
    with lines_of() as lines:
        load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace(url, url + '\nsecret = "Bearer k3y"')))
    assert lines[0].details == {"changes": ["system a: secret changed"]}


def test_changed_settings_are_named_with_what_they_were(campaign, organizer):
    with lines_of() as lines:
        change_settings(
            campaign=campaign,
            changes={"reply_deadline_s": 9, "free_choice": True, "name": Texts("新", "New")},
            by=organizer,
        )
    (line,) = lines
    assert (line.act, line.about) == ("settings.changed", "small")
    assert "reply_deadline_s 5 → 9" in line.details["changes"]
    assert len(line.details["changes"]) == 2


def test_settings_that_stay_leave_no_line(campaign):
    with lines_of() as lines:
        change_settings(campaign=campaign, changes={"reply_deadline_s": 5})
    assert lines == []


def test_pausing_resuming_and_withdrawing_leave_a_line_each_with_alias_reason_and_what_was_drawn(drawn, person):
    entry = drawn.entries.get(key="b")
    now = timezone.now()
    with lines_of() as lines:
        pause_bot(entry=entry, because=" slow ", at=now, by=person)
        withdraw_bot(entry=entry, because="asked to", at=now, by=person)
        resume_bot(entry=entry, because=" it is back ", by=person)
    assert [(line.act, line.about, line.because) for line in lines] == [
        ("bot.paused", entry.alias, "slow"),
        ("bot.withdrawn", entry.alias, "asked to"),
        ("bot.resumed", entry.alias, "it is back"),
    ]
    paused, withdrawn, resumed = (line.details for line in lines)
    assert paused == {"bot": "b"}
    # Each of the four testers has two dialogues with each of four bots.
    assert withdrawn["taken_away"] - withdrawn["added"] == 8
    assert resumed["added"] - resumed["taken_away"] == 8
    assert {line.person for line in lines} == {"outsider"}


def test_a_tester_who_left_is_one_line_with_what_was_drawn_for_others(drawn, person):
    tester = drawn.roles.filter(role=Role.TESTER).first().person
    with lines_of() as lines:
        leave_as_tester(campaign=drawn, person=tester, because="left", by=person, at=timezone.now())
        leave_as_tester(campaign=drawn, person=tester, because="left", by=person, at=timezone.now())
    (line,) = lines
    assert (line.act, line.about, line.details["role"]) == ("person.work_handed_on", tester.username, "tester")
    assert line.details["taken_away"] > 0


def test_a_drawing_is_a_line_only_where_it_changes_something(drawn, person):
    drawn.assignments.first().delete()
    with lines_of() as lines:
        draw_assignments(campaign=drawn, by=person)
        draw_assignments(campaign=drawn, by=person)
    assert [(line.act, line.details) for line in lines] == [("plan.drawn", {"added": 1, "taken_away": 0})]


def test_tokens_and_passwords_for_people_are_named_with_their_campaign_and_without_the_secret(campaign):
    with lines_of() as lines:
        tokens = issue_tokens(campaign=campaign)
        passwords = issue_passwords(campaign=campaign)
    assert [(line.act, line.about) for line in lines[:4]] == [
        ("token.issued", name) for name in ("organizer", "participant", "reviewer", "tester")
    ]
    assert [line.act for line in lines[4:]] == ["password.issued"] * 4
    assert {line.campaign for line in lines} == {"small"}
    said = "".join(str(line.details) for line in lines)
    assert not any(secret in said for secret in [*tokens.values(), *passwords.values()])
