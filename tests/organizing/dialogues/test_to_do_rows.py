"""Each assignment to do says since when it waits, for whom, and until when it can be begun."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.actions import pause_bot
from campaigns.actions.people import pause_person
from organizing.dialogues.to_do import ToDoFilters, assignments_to_do, to_do_rows
from reviews.actions.deciding import void_dialogue

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LIST, API = "/campaigns/small/assignments/", "/api/v1/campaigns/small/assignments/"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def planned(campaign, tester):
    made = {"made_at": NOW - timedelta(hours=3), "repetition": 9, "position": 9}
    return campaign.assignments.create(
        tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(), **made
    )


def rows(campaign):
    campaign.refresh_from_db()
    return to_do_rows(campaign, assignments_to_do(campaign, ToDoFilters()), NOW)


def test_what_is_not_begun_waits_since_it_was_drawn_until_testing_ends(campaign, planned):
    campaign.testing_until = NOW + timedelta(hours=1)
    campaign.save()
    (row,) = rows(campaign)
    assert (row.since, row.until) == (NOW - timedelta(hours=3), campaign.testing_until)
    assert (row.pause, row.away_since) == (None, None)


def test_what_is_to_be_done_again_waits_since_its_dialogue_counts_no_more(campaign, planned, dialogue, organizer):
    void_dialogue(dialogue=dialogue, by=organizer, because="x", at=NOW + timedelta(minutes=1))
    not_begun, again = rows(campaign)
    assert (again.assignment.pk, again.since) == (dialogue.assignment_id, NOW + timedelta(minutes=1))
    assert not_begun.since == planned.made_at


def test_a_pausing_bot_and_a_pausing_tester_are_named(campaign, planned, tester):
    pause_bot(entry=planned.entry, because="It moves.", at=NOW)
    pause_person(campaign=campaign, person=tester, because="ill", by=None, at=NOW)
    (row,) = rows(campaign)
    assert (row.pause.because, row.pause.since) == ("It moves.", NOW)
    assert (row.away_since, row.away_because) == (NOW, "ill")


def test_rows_cost_the_same_number_of_queries_whatever_there_is(campaign, planned, django_assert_num_queries):
    for n in (10, 11, 12):
        planned.pk, planned.repetition, planned.position, planned.started_at = None, n, n, NOW
        planned.save()
    campaign.refresh_from_db()
    found = list(assignments_to_do(campaign, ToDoFilters()))
    with django_assert_num_queries(3):
        assert len(to_do_rows(campaign, found, NOW)) == 4


def test_page_and_api_say_so(client, organizer, campaign, planned, tester):
    client.force_login(organizer)
    pause_bot(entry=planned.entry, because="It moves.", at=NOW)
    pause_person(campaign=campaign, person=tester, because="ill", by=None, at=NOW)
    page = " ".join(client.get(LIST, headers=ENGLISH).content.decode().split())
    assert "for its tester, who pauses since" in page
    assert "for its system: It moves." in page
    assert "until an organizer resumes it" in page
    (row,) = client.get(API, headers=ENGLISH).json()["results"]
    assert (row["since"], row["until"]) == (planned.made_at.isoformat(), None)
    assert row["paused"]["until"] == "until an organizer resumes it"
    assert row["tester_paused"] == {"since": NOW.isoformat(), "because": "ill"}
