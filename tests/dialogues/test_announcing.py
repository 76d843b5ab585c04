"""What all testers are told, and what the trail says of reports and imports."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import ReasonNeeded
from campaigns.calendar import NotNow
from campaigns.models import Campaign
from dialogues.actions.announcing import BadAnnouncement, make_announcement, take_back_announcement
from dialogues.actions.reports import report_problem, settle_problem
from dialogues.models import Announcement
from participants.limits import REASON_LIMIT
from testing_console.notices import standing_notices
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def told(campaign, organizer, zh="午休到 14 点", en="", until=None):
    return make_announcement(campaign=campaign, by=organizer, zh=zh, en=en, until=until, at=NOW)


def test_it_stands_until_its_time_is_over(campaign, organizer):
    one = told(campaign, organizer, until=NOW + timedelta(minutes=15))
    standing = campaign.announcements.standing
    assert list(standing(NOW + timedelta(minutes=14))) == [one]
    assert list(standing(NOW + timedelta(minutes=15))) == []


def test_it_stands_until_it_is_taken_back(campaign, organizer):
    one = told(campaign, organizer)
    assert list(campaign.announcements.standing(NOW + timedelta(days=9))) == [one]
    take_back_announcement(announcement=one, because="the break is over", by=organizer, at=NOW)
    take_back_announcement(announcement=one, because="the break is over", by=organizer, at=NOW)
    assert list(campaign.announcements.standing(NOW)) == []
    acts = list(TrailLine.objects.order_by("number").values_list("act", "because", "person", "campaign"))
    assert acts[-2:] == [
        ("announcement.made", "午休到 14 点", "organizer", "small"),
        ("announcement.taken_back", "the break is over", "organizer", "small"),
    ]
    assert TrailLine.objects.latest("number").details["text"] == "午休到 14 点"


def test_taking_it_back_asks_for_a_reason(campaign, organizer):
    one = told(campaign, organizer)
    for said in (" ", "x" * (REASON_LIMIT + 1)):
        with pytest.raises(ReasonNeeded):
            take_back_announcement(announcement=one, because=said, by=organizer, at=NOW)
    assert campaign.announcements.standing(NOW).exists()


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"zh": "  ", "en": ""}, "zh"),
        ({"zh": "x" * 301}, "zh"),
        ({"en": "x" * 301}, "en"),
        ({"until": NOW}, "until"),
    ],
)
def test_what_says_nothing_too_much_or_for_no_time_is_refused(campaign, organizer, said, field):
    with pytest.raises(BadAnnouncement) as bad:
        told(campaign, organizer, **said)
    assert bad.value.field == field
    assert not Announcement.objects.exists()


def test_at_most_five_stand_at_once(campaign, organizer):
    for number in range(5):
        told(campaign, organizer, zh=str(number))
    with pytest.raises(BadAnnouncement):
        told(campaign, organizer)


def test_nothing_is_told_in_a_campaign_that_has_ended(campaign, organizer):
    Campaign.objects.update(ends_at=NOW - timedelta(hours=1))
    campaign.refresh_from_db()
    with pytest.raises(NotNow):
        told(campaign, organizer)


def test_the_database_refuses_an_empty_one(campaign, organizer):
    with pytest.raises(IntegrityError), transaction.atomic():
        Announcement.objects.create(campaign=campaign, made_by=organizer, at=NOW)


def test_one_language_stands_in_for_the_other_and_no_team_is_named(campaign, organizer):
    told(campaign, organizer, zh="", en="Team Alpha restarts")
    (notice,) = standing_notices(campaign, NOW)
    assert notice["zh"] == notice["en"]
    assert "Alpha" not in notice["en"]
    assert notice["en"].endswith("restarts")


def test_lists_of_testers_and_reviewers_show_it(client, campaign, organizer, tester, reviewer):
    told(campaign, organizer, zh="午休")
    for person, page in ((tester, "/campaigns/small/testing/"), (reviewer, "/campaigns/small/review/")):
        client.force_login(person)
        assert "<p>午休</p>" in client.get(page).content.decode()


def test_the_console_shows_it_before_its_socket_opens(client, campaign, organizer, tester, dialogue):
    told(campaign, organizer, zh="午休")
    client.force_login(tester)
    assert "<p>午休</p>" in client.get(f"/dialogues/{dialogue.pk}/").content.decode()


def test_a_settled_problem_is_one_line_however_often_it_is_settled(dialogue, tester, organizer):
    now = timezone.now()
    problem = report_problem(dialogue=dialogue, person=tester, turn=None, text="too slow", at=now)
    with lines_of() as lines:
        settle_problem(problem=problem, at=now, by=organizer)
        settle_problem(problem=problem, at=now, by=organizer)
    (line,) = lines
    assert (line.act, line.person, line.campaign) == ("problem.settled", "organizer", "small")
    assert line.details == {"dialogue": str(dialogue.pk), "problem": problem.pk}
