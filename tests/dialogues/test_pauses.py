"""Why an assignment waits for its bot; and a paused tester opens nothing, over pages or sockets."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from campaigns.actions.people import pause_person, resume_person
from campaigns.models import Campaign, Entry, PausedBy
from dialogues.actions import (
    PausedTester,
    open_chosen_dialogue,
    open_dialogue,
    resume_or_open_chosen_dialogue,
)
from dialogues.models import Dialogue
from dialogues.pauses import BotPause, bot_pause, shown_pause
from serving.server.close_codes import CLOSE_ROLE
from testing_console.live.admission import SocketAdmission, no_longer_held
from testing_console.live.consumers import _welcome

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)


EVENING = NOON + timedelta(hours=8)


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


def pause_of(entry, at=NOON, **settings):
    return bot_pause(entry, Campaign(**settings), at)


def test_a_bot_that_can_be_talked_to_makes_nobody_wait():
    assert pause_of(Entry()) is None


def test_what_an_organizer_paused_waits_for_an_organizer():
    entry = Entry(paused_at=NOON, paused_by=PausedBy.PERSON, paused_because="It moves.")
    assert pause_of(entry) == BotPause("It moves.", NOON, "until an organizer resumes it")


def test_what_the_platform_paused_waits_for_an_answer():
    entry = Entry(paused_at=NOON, paused_by=PausedBy.PLATFORM, paused_because="x", draft_since=NOON)
    assert pause_of(entry).until == "until it answers a probe"


def test_a_draft_waits_for_its_admission():
    pause = pause_of(Entry(draft_since=NOON))
    assert (pause.since, pause.until) == (NOON, "until an organizer admits it")


def test_a_report_that_is_too_old_tells_since_when_it_is():
    entry = Entry(green_at=NOON - timedelta(hours=30))
    pause = pause_of(entry, green_report_hours=24)
    assert (pause.since, pause.until) == (NOON - timedelta(hours=6), "until a check finds no fault")
    assert pause_of(entry, green_report_hours=31) is None


def test_a_bot_that_was_never_checked_makes_testers_wait_from_the_beginning_of_testing():
    assert pause_of(Entry(), green_report_hours=24).since is None
    assert pause_of(Entry(), green_report_hours=24, testing_from=NOON).since == NOON
    assert pause_of(Entry(), green_report_hours=24, testing_from=EVENING).since is None


def test_a_bot_that_was_never_checked_made_nobody_wait_before_it_was_there():
    late = Entry(admitted_at=NOON)
    assert pause_of(late, at=EVENING, green_report_hours=24, testing_from=NOON - timedelta(days=1)).since == NOON
    assert pause_of(late, at=EVENING, green_report_hours=24, testing_from=EVENING).since == EVENING
    assert pause_of(late, at=EVENING, green_report_hours=24).since == NOON


def test_after_testing_or_the_end_of_the_campaign_it_is_too_late():
    entry = Entry(paused_at=NOON)
    assert pause_of(entry).closes_at is None
    assert pause_of(entry, ends_at=EVENING).closes_at == EVENING
    assert pause_of(entry, ends_at=EVENING, testing_until=NOON).closes_at == NOON


def test_names_of_teams_are_blotted_out_of_the_reason(campaign, tester):
    campaign.roles.filter(person=tester).update(paused_at=timezone.now(), paused_because="Team Alpha complained")
    pause = shown_pause(tester, campaign, "tester")
    assert "complained" in pause.paused_because
    assert "Alpha" not in pause.paused_because


def test_who_does_not_pause_is_shown_nothing(campaign, tester):
    assert shown_pause(tester, campaign, "tester") is None


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
    assert admission.proof(dialogue.assignment_id).answer()
    assert no_longer_held([held]) == set()
    pause_person(campaign=campaign, person=tester, because="ill", by=None, at=timezone.now())
    assert not admission.proof(dialogue.assignment_id).answer()
    assert no_longer_held([held]) == {held}
    assert _welcome(dialogue.pk, admission, 0) == CLOSE_ROLE
    resume_person(campaign=campaign, person=tester, because="well", by=None, at=timezone.now())
    assert admission.proof(dialogue.assignment_id).answer()
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
