"""The picture of a bot's day is made of its own calls, in two queries."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from participants.failures import FailureKind
from team_desk.own_bots import calls_of
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(dialogue, admission):
    """One answer, one failure that is the bot's, one that is ours."""
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("1").asked)
    talk.fail(talk.send("2").asked)
    talk.fail(talk.send("3").asked, kind=FailureKind.INTERRUPTED)
    return talk


def test_it_has_answers_and_the_bots_own_failures(talk, dialogue, django_assert_num_queries):
    entry = dialogue.assignment.entry
    with django_assert_num_queries(2):
        calls = list(calls_of(entry, timezone.now()))
    assert [call.latency_ms for call in calls] == [5, None]
    assert list(calls_of(entry, timezone.now() + timedelta(days=2))) == []


def test_the_page_draws_it_and_says_it_in_a_table(talk, dialogue, participant, client):
    client.force_login(participant)
    page = client.get(reverse("own-bot", args=["small", dialogue.assignment.entry_id]))
    text = page.content.decode()
    assert page.context["day"]["whole"].percent_answered == 50.0
    assert text.count("<svg\n") >= 2
    assert '<a class="push" href="#failures">' in text
    assert 'id="failures"' in text
