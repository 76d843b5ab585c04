"""A tester who pauses opens nothing, and no socket lets them in."""

import pytest
from django.utils import timezone

from campaigns.actions.people import pause_person, resume_person
from dialogues.actions import (
    PausedTester,
    open_chosen_dialogue,
    open_dialogue,
    resume_or_open_chosen_dialogue,
)
from dialogues.models import Dialogue
from serving.close_codes import CLOSE_ROLE
from testing_console.live.admission import SocketAdmission, no_longer_held
from testing_console.live.consumers import _welcome

pytestmark = pytest.mark.django_db


@pytest.fixture
def paused(campaign, dialogue, tester):
    pause_person(campaign=campaign, person=tester, because="you are <ill>", by=None, at=timezone.now())
    return tester


def test_whoever_pauses_opens_neither_a_new_dialogue_nor_one_that_is_open(paused, campaign, dialogue):
    chosen = {
        "campaign": campaign, "tester": paused, "entry": campaign.entries.get(), "scenario": campaign.scenarios.get(),
        "at": timezone.now(),
    }  # fmt: skip
    with pytest.raises(PausedTester):
        open_dialogue(assignment=dialogue.assignment, at=timezone.now())
    for opening in (open_chosen_dialogue, resume_or_open_chosen_dialogue):
        with pytest.raises(PausedTester):
            opening(**chosen)
    assert Dialogue.objects.count() == campaign.assignments.count() == 1
    resume_person(campaign=campaign, person=paused, because="well", by=None, at=timezone.now())
    assert open_dialogue(assignment=dialogue.assignment, at=timezone.now()) == dialogue


@pytest.fixture
def admission(client, tester):
    client.force_login(tester)
    return SocketAdmission(tester.pk, session_key=client.session.session_key, password=tester.password)


def test_sockets_of_whoever_pauses_are_refused_and_those_that_are_open_end(campaign, dialogue, tester, admission):
    held = (dialogue.pk, admission)
    assert admission.still_holds(dialogue.assignment_id)
    assert no_longer_held([held]) == set()
    pause_person(campaign=campaign, person=tester, because="ill", by=None, at=timezone.now())
    assert not admission.still_holds(dialogue.assignment_id)
    assert no_longer_held([held]) == {held}
    assert _welcome(dialogue.pk, admission, 0) == CLOSE_ROLE
    resume_person(campaign=campaign, person=tester, because="well", by=None, at=timezone.now())
    assert admission.still_holds(dialogue.assignment_id)
    assert no_longer_held([held]) == set()


def test_the_list_says_since_when_and_why_and_offers_nothing(paused, client, dialogue):
    paused.language = "en"
    paused.save()
    client.force_login(paused)
    page = client.get("/campaigns/small/testing/").content.decode()
    assert "An organizer has paused you in this campaign since" in page
    assert "you are &lt;ill&gt;" in page
    assert "go-on" not in page
    assert 'name="scenario"' not in page
    answer = client.post(f"/assignments/{dialogue.assignment_id}/open/")
    assert (answer.status_code, answer.url) == (302, "/campaigns/small/testing/")
