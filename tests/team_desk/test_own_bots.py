"""How a bot stands and how well it answers, from the ledger."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from api.answers import encoded
from campaigns.actions import pause_bot, take_out_bot
from dialogues.models import Attempt, Turn
from participants.failures import FailureKind
from participants.models import Team
from team_desk.answers import AnswersDocument
from team_desk.own_bots import LATELY, Answers, _answered, entries_of, health_of, own_bots
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def bots(campaign, at=None):
    team = Team.objects.get(name="Team Alpha")
    return own_bots(entries_of(team, campaign), at or timezone.now())


def state(campaign):
    (bot,) = bots(campaign)
    return bot.state


def test_answers_and_failures_are_counted_by_kind_and_fault(campaign, talk):
    talk.answer(talk.send(key="1").asked)
    talk.fail(talk.send(key="2").asked, FailureKind.BAD_JSON)
    talk.fail(talk.retry(2), FailureKind.INTERRUPTED)
    talk.answer(talk.retry(2))
    (bot,) = bots(campaign)
    ever = bot.health.ever
    assert (ever.n_answered, ever.n_failed, ever.n_calls, ever.n_of_others) == (2, 1, 3, 1)
    assert dict(ever.kinds) == {"bad_json": 1}
    assert (ever.p50_ms, ever.p95_ms) == (5, 5)
    assert bot.health.lately == ever


def test_what_is_older_than_a_day_counts_in_all_only(campaign, talk):
    talk.answer(talk.send(key="1").asked)
    talk.fail(talk.send(key="2").asked)
    old = timezone.now() - LATELY - timedelta(seconds=1)
    Turn.objects.update(settled_at=old)
    Attempt.objects.update(ended_at=old)
    (bot,) = bots(campaign)
    assert (bot.health.lately.n_calls, bot.health.ever.n_calls) == (0, 2)
    assert bot.health.lately.p95_ms is None


def test_percentiles_are_those_of_the_answers_alone(campaign, talk):
    for number, latency_ms in enumerate((100, 200, 300), start=1):
        talk.answer(talk.send(key=str(number)).asked)
        Turn.objects.filter(number=number).update(latency_ms=latency_ms)
    (bot,) = bots(campaign)
    assert (bot.health.ever.p50_ms, bot.health.ever.p95_ms) == (200, 300)


def test_a_bot_says_how_it_stands_and_who_acts(campaign, talk, settings):
    entry = campaign.entries.get()
    assert state(campaign).key == "testing"
    pause_bot(entry=entry, because="too slow", at=timezone.now())
    paused = state(campaign)
    assert (paused.key, paused.because, paused.since is not None, paused.is_ours) == ("paused", "too slow", True, False)


def test_a_bot_that_nobody_talked_to_says_what_it_waits_for(campaign, settings):
    entry = campaign.entries.get()
    assert (state(campaign).key, state(campaign).next) == (
        "registered",
        "Testers can begin at any time. Keep it running.",
    )
    campaign.free_choice = False
    campaign.save()
    assert state(campaign).next == "An organizer draws assignments for it."
    entry.secret = "s"
    entry.save()
    settings.SECRET_KEY = "another key" * 9
    assert (state(campaign).key, state(campaign).is_ours) == ("secret_lost", True)
    entry.url = ""
    entry.save()
    assert (state(campaign).key, state(campaign).is_ours) == ("no_address", True)
    take_out_bot(entry=entry, by=None, at=timezone.now(), because="gone")
    assert (state(campaign).key, state(campaign).because) == ("withdrawn", "gone")


def test_health_is_read_in_as_many_queries_for_many_bots_as_for_one(campaign, talk):
    talk.answer(talk.send().asked)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        bots(campaign)
    assert len(asked) == 4  # the team, its bots, failures, answers
    assert health_of([], timezone.now()) == {}


def test_answers_are_counted_by_the_database_and_not_read_one_by_one(campaign, talk):
    for number, latency_ms in enumerate((700, 700, 1234, 1236, 1239), start=1):
        talk.answer(talk.send(key=str(number)).asked)
        Turn.objects.filter(number=number).update(latency_ms=latency_ms)
    entry, at = campaign.entries.get().pk, timezone.now()
    assert sorted(_answered([entry], at)) == [(entry, True, 700, 2), (entry, True, 1230, 3)]
    assert health_of([entry], at)[entry].ever.p50_ms == 1230


def test_programs_read_the_most_frequent_failure_first():
    answers = Answers(kinds=Counter({"refused": 1, "timeout": 2}))
    assert list(encoded(AnswersDocument, answers)["by_kind"].items()) == [("timeout", 2), ("refused", 1)]
