"""What is over is read-only for organizers too, from the first second after the end, until it is extended."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.actions import draw_assignments, pause_bot, resume_bot, withdraw_bot
from campaigns.actions.ended import refuse_file_if_ended, refuse_if_ended
from campaigns.actions.leaving import leave_as_tester
from campaigns.calendar import NotNow
from campaigns.models import Campaign
from campaigns.reasons import ReasonNeeded, reason_of, reason_or_none
from participants.limits import REASON_LIMIT
from reading.checking import BadFile

pytestmark = pytest.mark.django_db
NOW = timezone.now().replace(microsecond=0)
SECOND = timedelta(seconds=1)


def test_the_end_is_inclusive_to_the_second(campaign):
    campaign.ends_at = NOW
    refuse_if_ended(campaign, NOW + timedelta(microseconds=999_999))
    with pytest.raises(NotNow):
        refuse_if_ended(campaign, NOW + SECOND)
    with pytest.raises(BadFile, match="The campaign ended on"):
        refuse_file_if_ended(campaign, NOW + SECOND)


@pytest.mark.parametrize(
    "act",
    [
        lambda campaign, tester: pause_bot(entry=campaign.entries.get(), because="slow", at=timezone.now()),
        lambda campaign, tester: resume_bot(entry=campaign.entries.get(), because="x"),
        lambda campaign, tester: withdraw_bot(entry=campaign.entries.get(), because="gone", at=timezone.now()),
        lambda campaign, tester: leave_as_tester(
            campaign=campaign, person=tester, because="left", by=None, at=timezone.now()
        ),
        lambda campaign, tester: draw_assignments(campaign=campaign),
    ],
    ids=["pause", "resume", "withdraw", "leave", "draw"],
)
def test_nothing_of_an_ended_campaign_is_organized(campaign, tester, act):
    Campaign.objects.update(ends_at=NOW - SECOND)
    campaign.refresh_from_db()
    with pytest.raises(NotNow):
        act(campaign, tester)
    Campaign.objects.update(ends_at=NOW + timedelta(days=1))
    campaign.refresh_from_db()
    act(campaign, tester)


def test_a_page_says_so_with_the_way_back(client, campaign, organizer):
    Campaign.objects.update(ends_at=NOW - SECOND)
    client.force_login(organizer)
    page = client.post("/campaigns/small/coverage/draw/", {}, headers={"Referer": "http://testserver/x/"})
    assert (page.status_code, 'href="http://testserver/x/"' in page.content.decode()) == (409, True)


def test_a_reason_is_stored_without_the_blanks_around_it():
    assert reason_of(" ill ") == "ill"


@pytest.mark.parametrize("none", ["", " \n", "x" * (REASON_LIMIT + 1), "nul\0"])
def test_what_says_nothing_or_cannot_be_stored_is_none(none):
    with pytest.raises(ReasonNeeded):
        reason_of(none)


def test_where_none_is_asked_for_nothing_is_one_and_no_other_limit_holds():
    assert (reason_or_none(" "), reason_or_none(" ill ")) == ("", "ill")
    with pytest.raises(ReasonNeeded, match=str(REASON_LIMIT)):
        reason_or_none("x" * (REASON_LIMIT + 1))
