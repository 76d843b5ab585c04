"""What a batch does with the turns of many dialogues is what each action does alone, in a few journeys for all."""

from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dialogues.actions import (
    Remembered,
    end_dialogue,
    open_chosen_dialogue,
    record_failure,
    record_reply,
    record_requests,
    retry_turn,
    take_turn,
)
from dialogues.actions.ledger import hold_free
from dialogues.models import Dialogue, DialogueSubtask, LedgerEvent, Turn
from dialogues.turn_taking import EndReason, ShownReply
from participants.adapters import History, Reply
from participants.failure_sentences import NOT_CONNECTED
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from serving.commits.committing import BUSY, Work, outcomes_of
from testing_console.live.admission import SocketAdmission

pytestmark = pytest.mark.django_db(transaction=True)
AT = datetime(2026, 11, 21, 10, 30, 0, 5, tzinfo=UTC)


@pytest.fixture
def dialogues(campaign, tester):
    chosen = {"entry": campaign.entries.get(), "scenario": campaign.scenarios.get(), "at": timezone.now()}
    return [open_chosen_dialogue(campaign=campaign, tester=tester, **chosen).pk for _ in range(6)]


def turn(dialogue_id, admission, key="k", text="你好"):
    taking = {"dialogue_id": dialogue_id, "admission": admission, "key": key, "text": text}
    nothing = Remembered(dialogue_id, 0, History())
    return Work(partial(take_turn, **taking, at=AT, owner="here", remembered=nothing), dialogue_id)


def reply(taken, text="好"):
    told = {"reply": Reply((text,), latency_ms=5), "shown": ShownReply((text,), ("slow",)), "at": AT}
    return Work(partial(record_reply, asked=taken.asked, **told), taken.asked.turn.dialogue_id)


def batch(*works):
    return outcomes_of(works, hold_free)


def stored(dialogue_id):
    return Turn.objects.values_list("number", "key", "text", "status", "texts", "flags", "choices", "wire").get(
        dialogue=dialogue_id
    )


def test_each_dialogue_gets_its_own_turn_and_its_own_reply(dialogues, admission):
    said = ['%s "\\😀', "{}\n\u2028", "'; --", "null", "1", "甲"]
    taken = batch(*[turn(one, admission, f"k{text}", text) for one, text in zip(dialogues, said, strict=True)])
    assert [Turn.objects.get(pk=one.asked.turn.id).dialogue_id for one in taken] == dialogues
    settled = batch(*[reply(one, text[::-1]) for one, text in zip(taken, said, strict=True)])
    assert all(one.is_current for one in settled)
    assert [stored(one) for one in dialogues] == [
        (1, f"k{text}", text, "answered", [text[::-1]], ["slow"], None, {}) for text in said
    ]
    assert set(Turn.objects.values_list("asked_at", "settled_at")) == {(AT, AT)}
    assert set(Dialogue.objects.values_list("turns_used", "last_seq")) == {(1, 2)}


def test_a_turn_and_a_reply_in_one_batch(dialogues, admission):
    one, other, *_ = dialogues
    (taken,) = batch(turn(one, admission))
    settled, new = batch(reply(taken), turn(other, admission))
    assert (settled.is_current, new.is_new) == (True, True)
    assert (stored(one)[3], stored(other)[3]) == ("answered", "waiting")


def test_two_changes_of_one_dialogue_follow_each_other(dialogues, admission):
    one, other, *_ = dialogues
    first, again, next_one, elsewhere = batch(
        turn(one, admission), turn(one, admission), turn(one, admission, "next"), turn(other, admission)
    )
    assert (first.is_new, again.is_new, elsewhere.is_new) == (True, False, True)
    assert again.accepted == first.accepted
    assert next_one.code == "turn_in_flight"


def test_what_is_refused_or_gone_leaves_the_others_alone(dialogues, admission, tester):
    one, other, *_ = dialogues
    loser = SocketAdmission(tester.pk, token_digest="none")
    refused, taken = batch(turn(one, loser), turn(other, admission))
    assert (refused.code, taken.is_new) == ("forbidden", True)
    assert Turn.objects.count() == 1


def test_what_is_asked_of_a_deleted_dialogue_is_refused_and_its_neighbours_keep_their_batch(
    dialogues, admission, caplog
):
    one, other, third, *_ = dialogues
    (taken,) = batch(turn(one, admission))
    for model in (Turn, LedgerEvent, DialogueSubtask):
        model.objects.filter(dialogue=one).delete()
    Dialogue.everything.filter(pk=one).delete()
    failure = BotFailure(FailureKind.CONNECT, sentence(NOT_CONNECTED, received="refused"))
    about = {"dialogue_id": one, "admission": admission, "at": AT}
    *refused, new, also_new = batch(
        turn(one, admission, "next"),
        reply(taken),
        Work(partial(record_failure, asked=taken.asked, failure=failure, at=AT), one),
        Work(partial(record_requests, asked=taken.asked, tries=[]), one),
        Work(partial(retry_turn, number=1, owner="here", **about), one),
        Work(partial(end_dialogue, reason=EndReason.DONE, **about), one),
        turn(other, admission),
        turn(third, admission),
    )
    assert [one.text for one in refused] == ["The dialogue is gone."] * 6
    assert (new.is_new, also_new.is_new) == (True, True)
    assert "one by one" not in caplog.text


def test_an_answer_to_a_turn_that_is_settled_is_late_and_the_others_are_stored(dialogues, admission):
    one, other, *_ = dialogues
    first, second = batch(turn(one, admission), turn(other, admission))
    batch(reply(first, "first"))
    Turn.objects.update(settled_at=timezone.now())
    late, current = batch(reply(first, "late"), reply(second, "in time"))
    assert (late.is_current, current.is_current) == (False, True)
    assert (stored(one)[4], stored(other)[4]) == (["first"], ["in time"])


def test_a_dialogue_that_another_writer_holds_is_put_off_and_the_others_go_on(dialogues, admission):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time")
    one, other, *_ = dialogues
    page = connection.copy()
    try:
        page.set_autocommit(False)
        with page.cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {Dialogue._meta.db_table} WHERE id = %s FOR UPDATE", [one])
        busy, again, taken = batch(turn(one, admission), turn(one, admission, "next"), turn(other, admission))
        assert (busy, again) == (BUSY, BUSY)
        assert taken.is_new
    finally:
        page.close()
    taken, refused = batch(turn(one, admission), turn(one, admission, "next"))
    assert (taken.is_new, refused.code) == (True, "turn_in_flight")


def test_to_postgresql_many_dialogues_take_as_many_journeys_as_one(dialogues, admission):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no journeys")

    def journeys(*works):
        with CaptureQueriesContext(connection) as captured:
            outcomes = batch(*works)
        return len(captured), outcomes

    first, *others = dialogues
    n_of_one, (taken_alone,) = journeys(turn(first, admission))
    n_of_five, taken = journeys(*[turn(other, admission) for other in others])
    assert n_of_five == n_of_one
    n_of_one, _ = journeys(reply(taken_alone))
    n_of_five, _ = journeys(*map(reply, taken))
    assert n_of_five == n_of_one
