"""The calendar in the actions of testers, to the second, on both sides of each date; and the stage of the bot."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.actions import admit_bot, load_campaign, send_back_bot
from campaigns.models import Campaign
from dialogues.actions import (
    NotTestingNow,
    close_overdue_dialogue,
    close_subtask,
    end_dialogue,
    open_chosen_dialogue,
    open_dialogue,
    retry_turn,
    take_turn,
)
from dialogues.actions.closing import tick_items
from dialogues.actions.reports import flag_turn, report_problem, unflag_turn
from dialogues.models import Dialogue, Turn
from dialogues.queries import overdue_dialogues
from dialogues.turn_taking import EndReason, Refusal
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db
NOW = timezone.now().replace(microsecond=0)
SECOND, GRACE = timedelta(seconds=1), timedelta(minutes=30)


def say(campaign, **dates):
    Campaign.objects.filter(pk=campaign.pk).update(**dates)


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def chosen(campaign, tester, at):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    return open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)


def test_a_dialogue_opens_from_the_first_to_the_last_second_of_testing(campaign, tester):
    say(campaign, testing_from=NOW, testing_until=NOW + GRACE)
    for at in (NOW - SECOND, NOW + GRACE + SECOND):
        with pytest.raises(NotTestingNow) as refused:
            chosen(campaign, tester, at)
        assert refused.value.code == "not_now"
        assert not Dialogue.objects.exists()
    assert chosen(campaign, tester, NOW)
    assert chosen(campaign, tester, NOW + GRACE + timedelta(microseconds=999_999))


def test_an_assignment_that_has_its_dialogue_leads_to_it_whatever_the_time(campaign, dialogue):
    say(campaign, testing_until=NOW - timedelta(days=9))
    assert open_dialogue(assignment=dialogue.assignment, at=NOW) == dialogue


LAST_ACTS = {
    "send": lambda talk, at: take_turn(
        dialogue_id=talk.id, admission=talk.admission, key="late", text="x", at=at, owner="here:1:x"
    ),
    "retry": lambda talk, at: retry_turn(
        dialogue_id=talk.id, admission=talk.admission, number=1, at=at, owner="here:1:x"
    ),
    "close": lambda talk, at: close_subtask(
        dialogue_id=talk.id, admission=talk.admission, index=1, is_finished=True, at=at
    ),
    "end": lambda talk, at: end_dialogue(dialogue_id=talk.id, admission=talk.admission, reason=EndReason.DONE, at=at),
    "tick": lambda talk, at: tick_items(dialogue=talk.now(), ticked=[], at=at),
}


@pytest.mark.parametrize("act", LAST_ACTS)
@pytest.mark.parametrize("date", ["testing_until", "ends_at"])
def test_an_open_dialogue_may_be_finished_for_half_an_hour_and_never_after_the_end(campaign, talk, act, date):
    talk.fail(talk.send().asked)
    say(campaign, **{date: NOW})
    last = NOW + GRACE if date == "testing_until" else NOW
    with pytest.raises(NotTestingNow) as refused:
        LAST_ACTS[act](talk, last + SECOND)
    transaction.set_rollback(False)  # as the group commit does: a refusal comes before anything is written
    ended = "The time to finish" if date == "testing_until" else "The campaign ended"
    assert refused.value.text.startswith(ended)
    LAST_ACTS[act](talk, last + timedelta(microseconds=999_999))


def test_a_repeated_key_still_gives_its_turn_when_the_time_is_over(campaign, talk):
    first = talk.send("k")
    say(campaign, testing_until=NOW - timedelta(days=1))
    assert talk.send("k").accepted == first.accepted


def test_sending_a_turn_asks_the_database_no_more_often_for_the_calendar(campaign, talk):
    talk.turns(1)
    with CaptureQueriesContext(
        connection,
    ) as without:
        talk.answer(talk.send("a").asked)
    say(campaign, testing_from=NOW - GRACE, testing_until=NOW + timedelta(days=1), ends_at=NOW + timedelta(days=2))
    with CaptureQueriesContext(connection) as with_dates:
        sent = talk.send("b")
    n_settling = sum("UPDATE" in query["sql"] and "settled_at" in query["sql"] for query in without)
    assert n_settling == 1
    assert sum("testing_until" in query["sql"] for query in with_dates) == 1
    assert len(with_dates) <= len(without) - n_settling
    assert sent.is_new


def test_what_is_open_after_the_grace_is_closed_as_abandoned(campaign, talk, dialogue):
    say(campaign, testing_until=NOW)
    assert overdue_dialogues(NOW + GRACE) == []
    talk.noted(close_overdue_dialogue(dialogue_id=talk.id, at=NOW + GRACE))
    assert talk.now().is_open
    assert overdue_dialogues(NOW + GRACE + SECOND) == [talk.id]
    talk.noted(close_overdue_dialogue(dialogue_id=talk.id, at=NOW + GRACE + SECOND))
    closed = talk.now()
    assert (closed.status, closed.reason) == ("abandoned", "time_over")
    assert '"reason":"time_over"' in talk.heard[-1][1]
    assert overdue_dialogues(NOW + GRACE + SECOND) == []


def test_a_turn_in_flight_is_waited_for(campaign, talk):
    asked = talk.send().asked
    say(campaign, testing_until=NOW - timedelta(days=1))
    talk.noted(close_overdue_dialogue(dialogue_id=talk.id, at=NOW))
    assert (talk.now().status, overdue_dialogues(NOW)) == ("open", [])
    assert talk.answer(asked)
    assert overdue_dialogues(NOW) == [talk.id]


def test_extending_testing_opens_the_assignment_again(campaign, talk, dialogue):
    say(campaign, testing_until=NOW - timedelta(days=1))
    talk.noted(close_overdue_dialogue(dialogue_id=talk.id, at=NOW))
    with pytest.raises(NotTestingNow):
        open_dialogue(assignment=dialogue.assignment, at=NOW)
    say(campaign, testing_until=NOW + timedelta(days=1))
    assert open_dialogue(assignment=dialogue.assignment, at=NOW) != dialogue


def test_after_the_end_nothing_is_flagged_or_reported(campaign, talk, dialogue, tester):
    talk.turns(1)
    turn = Turn.objects.get()
    say(campaign, ends_at=NOW)
    reports = (
        lambda at: flag_turn(turn=Turn.objects.get(), at=at),
        lambda at: unflag_turn(turn=Turn.objects.get(), at=at),
        lambda at: report_problem(dialogue=Dialogue.objects.get(), person=tester, turn=turn, text="x", at=at),
    )
    for report in reports:
        with pytest.raises(Exception, match="2") as refused:
            report(NOW + SECOND)
        assert refused.value.code == "not_now"
        report(NOW)


def test_pages_and_api_say_why_in_the_readers_language(client, campaign, dialogue, tester):
    client.force_login(tester)
    second = {"assignment": dialogue.assignment_id}
    Dialogue.objects.update(status="void", closed_at=NOW)
    say(campaign, testing_until=NOW - timedelta(days=1))
    answer = client.post("/api/v1/dialogues/", second, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_now")
    json, details = "application/json", []
    for language in ("en", "zh-hans"):
        answer = client.post("/api/v1/dialogues/", second, json, headers={"Accept-Language": language})
        details.append(answer.json()["detail"].isascii())
    assert details == [True, False]
    page = client.post(f"/assignments/{dialogue.assignment_id}/open/", follow=True, headers={"Accept-Language": "en"})
    assert page.redirect_chain == [("/campaigns/small/testing/", 302)]
    assert "(UTC+08:00)" in page.content.decode()


def test_the_end_of_a_campaign_leaves_its_file_readable_and_no_more(campaign):
    from tests.conftest import SMALL_CAMPAIGN, spec_of

    say(campaign, ends_at=NOW - timedelta(days=1))
    assert load_campaign(spec=spec_of(SMALL_CAMPAIGN), at=NOW)[1] == []


def test_the_list_says_why_what_is_next_is_closed(client, campaign, dialogue, tester):
    client.force_login(tester)
    say(campaign, testing_until=NOW - timedelta(days=1))
    Dialogue.objects.update(status="completed", closed_at=NOW)
    page = client.get("/campaigns/small/testing/")
    assert page.context["closed"] == ""  # it is to be scored, and reviewing has no end
    say(campaign, review_until=NOW - timedelta(hours=1))
    assert "(UTC+08:00)" in client.get("/campaigns/small/testing/").context["closed"]


def test_nobody_talks_to_a_bot_that_was_sent_back_until_it_is_admitted_again(campaign, talk):
    talk.fail(talk.send().asked)
    entry = campaign.entries.get()
    send_back_bot(entry=entry, because="Its answers are another system's.", by=None, at=NOW)
    for act in (lambda: talk.retry(1), lambda: talk.send("another")):
        with pytest.raises(Refusal) as refused, transaction.atomic():
            act()
        assert (refused.value.code, Turn.objects.get().status) == ("not_admitted", "failed")
    admit_bot(entry=entry, by=None, at=NOW)
    assert talk.answer(talk.retry(1))
    assert talk.send("another").asked


def test_a_dialogue_with_a_draft_can_be_ended(campaign, talk):
    talk.turns(1)
    send_back_bot(entry=campaign.entries.get(), because="Its answers are another system's.", by=None, at=NOW)
    talk.end()
    assert not talk.now().is_open
