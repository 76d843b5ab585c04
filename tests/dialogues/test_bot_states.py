"""A bot's state travels with its dialogue, and nobody but the bot and the organizer gets to see it."""

import json
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dialogues.actions import Remembered, record_failure, record_reply, recover_interrupted, retry_turn, take_turn
from dialogues.masking import masker_of
from dialogues.models import BotState
from dialogues.queries import events_after, said_before
from dialogues.turn_taking import shown_reply
from participants.adapters import History, Reply, Utterance
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from tests.test_house import ROOMS, ROOT, files_of

pytestmark = pytest.mark.django_db

SEEN = {"悟": 1, "history": [["你好", "好的"]]}


def send(dialogue, admission, **named):
    return take_turn(
        dialogue_id=dialogue.pk, admission=admission, key=uuid4().hex, text="你好", at=timezone.now(), owner="h:1:x",
        **named,
    ).asked  # fmt: skip


def answer(asked, state=None):
    shown = shown_reply(["好的"], masker_of(()), 5)
    return record_reply(asked=asked, reply=Reply(("好的",), state=state, latency_ms=5), shown=shown, at=timezone.now())


def fail(asked):
    failure = BotFailure(FailureKind.HTTP_5XX, sentence("broken"))
    return record_failure(asked=asked, failure=failure, at=timezone.now())


def retry(dialogue, admission, **named):
    return retry_turn(
        dialogue_id=dialogue.pk, admission=admission, number=2, at=timezone.now(), owner="h:2:x", **named
    ).asked


def test_the_next_turn_reads_what_the_bot_gave_with_the_one_before(dialogue, admission):
    answer(send(dialogue, admission), SEEN)
    asked = send(dialogue, admission)
    assert asked.history.said == (Utterance("user", "你好"), Utterance("bot", "好的"))
    assert asked.history.state == SEEN
    answer(asked, {"n": 2})
    assert said_before(dialogue.pk, 3).state == {"n": 2}
    assert said_before(dialogue.pk, 2).state == SEEN


def test_what_is_remembered_has_it_too(dialogue, admission):
    settled = answer(send(dialogue, admission), SEEN)
    assert settled.remembered.history == said_before(dialogue.pk, 2)
    asked = send(dialogue, admission, remembered=settled.remembered)
    assert asked.history is settled.remembered.history


def test_what_is_remembered_is_dropped_where_another_process_went_on(dialogue, admission):
    old = answer(send(dialogue, admission), {"n": 1}).remembered
    answer(send(dialogue, admission), {"n": 2})
    assert send(dialogue, admission, remembered=old).history.state == {"n": 2}


def test_a_reply_without_a_state_ends_the_one_before(dialogue, admission):
    answer(send(dialogue, admission), SEEN)
    remembered = answer(send(dialogue, admission)).remembered
    assert remembered.history.state is None
    assert said_before(dialogue.pk, 3).state is None


@pytest.mark.parametrize("is_remembered", [True, False])
def test_a_turn_that_is_asked_again_has_the_state_from_before_it_failed(dialogue, admission, is_remembered):
    answer(send(dialogue, admission), SEEN)
    remembered = fail(send(dialogue, admission)).remembered
    again = retry(dialogue, admission, **({"remembered": remembered} if is_remembered else {}))
    assert again.history.state == SEEN
    answer(again, {"n": 2})
    assert said_before(dialogue.pk, 3).state == {"n": 2}


def test_after_a_restart_the_next_process_has_it(dialogue, admission):
    """The process that asked is gone: its turn is failed, and nothing is remembered."""
    answer(send(dialogue, admission), SEEN)
    send(dialogue, admission)
    recover_interrupted(at=timezone.now(), is_lost=lambda turn: True)
    assert retry(dialogue, admission).history.state == SEEN


def test_the_state_of_a_late_reply_is_never_carried_on(dialogue, admission):
    answer(send(dialogue, admission), {"n": 1})
    late = send(dialogue, admission)
    fail(late)
    answer(retry(dialogue, admission), {"n": 2})
    assert not answer(late, {"n": "late"}).is_current
    assert said_before(dialogue.pk, 3).state == {"n": 2}
    assert BotState.objects.count() == 2


def test_the_ledger_that_testers_hear_says_nothing_of_it(dialogue, admission):
    answer(send(dialogue, admission), {"maker": "Team Secret"})
    assert "Secret" not in json.dumps(events_after(dialogue.pk, 0))


def statements_of(work):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        work()
    return [query["sql"] for query in queries.captured_queries]


def test_a_reply_without_a_state_costs_no_statement(dialogue, admission):
    without = send(dialogue, admission)
    plain = statements_of(lambda: answer(without))
    with_state = send(dialogue, admission, remembered=Remembered(dialogue.pk, 2, History()))
    stateful = statements_of(lambda: answer(with_state, SEEN))
    assert not any("botstate" in sql for sql in plain)
    assert len(stateful) == len(plain) + 1


def test_only_calls_and_evidence_read_what_bots_gave():
    """What testers and reviewers see is made elsewhere; what is erased is read, too."""
    files = [path for room in ROOMS for path in files_of(room) if "migrations" not in path.parts]
    names_it = re.compile(r"dialogues\.\w+ import [^\n]*\bBotState\b|turn\.bot_state|\"bot_state")
    naming = {str(path.relative_to(ROOT)) for path in files if names_it.search(path.read_text())}
    assert naming == {
        "dialogues/models/dialogues.py",
        "dialogues/queries.py",
        "dialogues/actions/attempts.py",
        "organizing/dialogues/transcript.py",
        "privacy/actions/talks.py",
        "team_desk/own_dialogues.py",
    }
