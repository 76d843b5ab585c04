"""Looks at a campaign's rows: what the wall shows after each act, and that it never reads more for more rows."""

import random
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import pause_bot
from campaigns.models import Assignment, Campaign
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.turn_taking import EndReason
from organizing.wall.reading import ANEW_EVERY, Looks, booked_faults
from participants.failures import FailureKind, Fault
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def looks(campaign):
    return Looks(campaign.pk)


@pytest.fixture
def alias(campaign):
    return campaign.entries.get().alias


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def sections(looks):
    return looks.look(timezone.now()).sections()


def row_of(looks, dialogue):
    return sections(looks)["dialogues"][str(dialogue.pk)]


def test_an_open_dialogue_says_who_talks_with_whom_about_what(looks, dialogue, alias):
    row = row_of(looks, dialogue)
    expected = {
        "tester": "tester",
        "bot": alias,
        "scenario": "flight-then-hotel",
        "part": 1,
        "parts": 2,
        "turns": 0,
        "cap": 3,
    }
    assert {name: row[name] for name in expected} == expected
    assert (row["waits_for"], row["since"]) == ("tester", dialogue.opened_at.isoformat())


def test_a_turn_in_flight_waits_for_the_bot_from_its_asking_on(looks, dialogue, talk):
    talk.send()
    row = row_of(looks, dialogue)
    turn = Turn.objects.get()
    assert (row["waits_for"], row["turns"], row["since"]) == ("bot", 1, turn.asked_at.isoformat())
    assert row["until"] == (turn.asked_at + timedelta(seconds=5)).isoformat()


def test_a_retry_waits_from_the_retry_on(looks, dialogue, talk):
    talk.fail(talk.send().asked)
    Turn.objects.update(asked_at=timezone.now() - timedelta(minutes=10))
    talk.retry(1)
    row = row_of(looks, dialogue)
    assert (row["waits_for"], row["attempt"]) == ("bot", 2)
    assert row["since"] == LedgerEvent.objects.get(kind="turn.retried").at.isoformat()


def test_each_reply_and_failure_counts_once_however_often_is_looked(looks, talk, alias):
    talk.answer(talk.send("a").asked)
    sections(looks)
    asked = talk.send("b").asked
    sections(looks)
    talk.fail(asked)
    sections(looks)
    talk.answer(talk.retry(2))
    sections(looks)
    bot = sections(looks)["bots"][alias]
    assert (bot["answered"], bot["failed"]) == (2, 1)
    assert (bot["last_failure"]["kind"], bot["last_failure"]["turn"]) == ("http_5xx", 2)


def test_the_last_reply_of_a_dialogue_that_has_ended_counts(looks, talk, alias):
    sections(looks)
    talk.answer(talk.send().asked)
    talk.end(EndReason.GAVE_UP)
    found = sections(looks)
    assert not found["dialogues"]
    assert found["bots"][alias]["answered"] == 1
    assert found["figures"]["all"]["unscored"] == 1


def test_a_failure_of_the_platform_is_not_the_bots(looks, talk, alias):
    talk.fail(talk.send().asked, kind=FailureKind.INTERRUPTED)
    bot = sections(looks)["bots"][alias]
    assert (bot["failed"], bot["excused"], bot["last_failure"]["fault"]) == (0, 1, Fault.PLATFORM)


def test_looks_after_each_other_end_where_a_fresh_one_begins(campaign, tester):
    """Random acts in several dialogues, looked at between any two of them or not."""
    rng = random.Random(20)
    looks, talks = Looks(campaign.pk), [Talk(new_dialogue(campaign, tester), Admitted(tester)) for _ in range(4)]
    for step in range(60):
        act(rng, rng.choice(talks), step)
        if rng.random() < 0.5:
            sections(looks)
    at = timezone.now()
    continued, fresh = looks.look(at), Looks(campaign.pk).look(at)
    assert continued.sections() == fresh.sections()
    assert sum(health.n_failed for health in fresh.health.values()) > 0


def act(rng, talk, step):
    """What can be done next in that dialogue, one of it."""
    dialogue = talk.now()
    if not dialogue.is_open:
        return
    last = Turn.objects.filter(dialogue=dialogue).last()
    if (
        dialogue.waiting is None
        and last is not None
        and last.status == "failed"
        and last.subtask == dialogue.subtask_index
    ):
        talk.asked = talk.retry(last.number)
    elif dialogue.waiting is None:
        talk.asked = talk.send(str(step)).asked
    elif rng.random() < 0.6:
        talk.answer(talk.asked)
    else:
        talk.fail(talk.asked)


def new_dialogue(campaign, tester):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    return open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())


def test_what_is_scored_is_done(looks, dialogue, talk):
    talk.end(EndReason.GAVE_UP)
    assert sections(looks)["figures"]["all"]["done"] == 0
    Dialogue.objects.update(scored_at=timezone.now())
    figures = sections(looks)["figures"]["all"]
    assert (figures["done"], figures["today"], figures["needed"]) == (1, 1, None)
    assert sections(looks)["testers"]["tester"]["done"] == 1


def test_what_was_done_yesterday_is_done_but_not_today(looks, dialogue, talk):
    talk.answer(talk.send().asked)
    talk.end(EndReason.GAVE_UP)
    yesterday = timezone.now() - timedelta(days=1)
    Dialogue.objects.update(opened_at=yesterday, closed_at=yesterday, scored_at=yesterday)
    Turn.objects.update(asked_at=yesterday, settled_at=yesterday)
    found = sections(looks)
    assert (found["figures"]["all"]["done"], found["figures"]["all"]["today"]) == (1, 0)
    assert found["figures"]["all"]["called"] == 0


def test_drawn_assignments_are_what_is_needed(looks, campaign, tester, dialogue):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    Assignment.objects.create(
        campaign=campaign, tester=tester, entry=entry, scenario=scenario, repetition=9, position=9
    )
    assert sections(looks)["figures"]["all"]["needed"] == 2


def test_a_paused_bot_is_shown_with_its_reason(looks, campaign, alias):
    sections(looks)
    pause_bot(entry=campaign.entries.get(), because="It restarts.", at=timezone.now())
    row = sections(looks)["bots"][alias]
    assert (row["state"], row["because"]) == ("paused", "It restarts.")


def test_settings_that_changed_hold_after_a_minute(looks, campaign, dialogue):
    first = row_of(looks, dialogue)
    Campaign.objects.update(silence_limit_min=5)
    later = looks.look(timezone.now() + ANEW_EVERY).sections()["dialogues"][str(dialogue.pk)]
    assert first["until"] != later["until"] == (dialogue.opened_at + timedelta(minutes=5)).isoformat()


def test_the_figures_say_when_testing_closes(looks, campaign):
    until = timezone.now() + timedelta(days=1)
    Campaign.objects.update(testing_until=until)
    assert sections(looks)["figures"]["all"]["closes_at"] == until.isoformat()


def test_utterances_are_counted_as_the_campaign_counts_them(looks, campaign, dialogue, talk):
    Campaign.objects.update(turns_are="utterances")
    talk.answer(talk.send().asked)
    row = row_of(looks, dialogue)
    assert (row["turns"], row["cap"]) == (2, 6)


def test_other_campaigns_are_not_looked_at(looks, campaign, dialogue):
    other = Campaign.objects.create(
        slug="other", name_zh="x", name_en="x", preset="smp2018", rubric=campaign.rubric, turn_cap=None
    )
    found = Looks(other.pk).look(timezone.now()).sections()
    assert (found["dialogues"], found["bots"], found["testers"]) == ({}, {}, {})


def queries_of(looks):
    with CaptureQueriesContext(connection) as captured:
        sections(looks)
    return len(captured)


def test_a_look_asks_no_more_often_for_more_dialogues(campaign, tester):
    first = Talk(new_dialogue(campaign, tester), Admitted(tester))
    first.answer(first.send().asked)
    few_anew = queries_of(Looks(campaign.pk))
    looks = Looks(campaign.pk)
    sections(looks)
    talks = [Talk(new_dialogue(campaign, tester), Admitted(tester)) for _ in range(9)]
    for talk in talks:
        talk.answer(talk.send().asked)
    assert queries_of(Looks(campaign.pk)) == few_anew <= 14
    assert queries_of(looks) <= 9
    assert queries_of(looks) <= 5


def test_a_person_of_another_role_is_no_tester(looks, campaign):
    Person.objects.create_user("guest")
    assert list(sections(looks)["testers"]) == ["tester"]


def test_a_booked_fault_is_that_of_the_last_failure_before_it():
    one, other = UUID(int=1), UUID(int=2)
    failed, booked = "turn.failed", "fault.booked"
    lines = [
        (one, 2, failed, '{"turn": 1}'), (one, 4, failed, '{"turn": 1}'), (one, 5, booked, '{"turn": 1, "fault": "platform"}'),
        (one, 7, failed, '{"turn": 2}'), (other, 2, failed, '{"turn": 1}'),
    ]  # fmt: skip
    assert booked_faults(lines) == {(one, 4): "platform"}
