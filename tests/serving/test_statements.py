"""Prepared statements read and write what the ORM would, refuse what it would, and are seen by whoever counts."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from serving.statements import Insert, Select, Update
from testing_console.models import Attempt, Dialogue, LedgerEvent, Turn
from testing_console.turn_taking import TurnStatus
from tests.testing_console.test_actions import Talk

pytestmark = pytest.mark.django_db

insert_event = Insert(LedgerEvent)
insert_attempt = Insert(Attempt)
read_dialogue = Select(Dialogue, "{id} = %s", "id")
settle = Update(Turn, "status", only_if=("status", "attempt_number"))


@pytest.fixture
def turn(dialogue, admission):
    return Talk(dialogue, admission).send("k", "你好").turn


def line(dialogue, **changed):
    return {"dialogue_id": dialogue.pk, "seq": 1, "kind": "x", "frame": "{}", "at": timezone.now()} | changed


def test_a_row_is_stored_with_what_was_given_and_defaults_for_the_rest(turn):
    ended_at = timezone.now() - timedelta(days=1)
    key = insert_attempt(turn_id=turn.pk, number=1, outcome="reply", texts=["好"], ended_at=ended_at)
    stored = Attempt.objects.get(pk=key)
    assert (stored.turn, stored.texts, stored.ended_at) == (turn, ["好"], ended_at)
    assert (stored.is_current, stored.fault, stored.latency_ms) == (True, "", None)


@pytest.mark.parametrize("name", ["fraem", "dialogue", "id", "fault_"])
def test_a_field_that_is_misspelt_is_refused_by_name_and_nothing_is_stored(dialogue, name):
    with pytest.raises(TypeError, match=rf"LedgerEvent takes no {name} here"):
        insert_event(**line(dialogue), **{name: "x"})
    assert LedgerEvent.objects.count() == 0


def test_a_condition_that_is_misspelt_or_missing_is_refused_by_name(turn):
    with pytest.raises(TypeError, match="attempt_numbr"):
        settle(turn, status=TurnStatus.WAITING, attempt_numbr=1)
    with pytest.raises(TypeError, match="attempt_number must be given"):
        settle(turn, status=TurnStatus.WAITING)
    with pytest.raises(TypeError, match="latency"):
        settle(turn, status=TurnStatus.WAITING, attempt_number=1, latency=3)


def test_an_update_holds_only_while_its_conditions_do(turn):
    turn.status = TurnStatus.ANSWERED
    assert not settle(turn, status=TurnStatus.WAITING, attempt_number=2)
    assert settle(turn, status=TurnStatus.WAITING, attempt_number=1)
    assert not settle(turn, status=TurnStatus.WAITING, attempt_number=1)
    assert Turn.objects.get().status == "answered"


def test_a_row_is_read_as_the_orm_reads_it(dialogue):
    (read,) = read_dialogue(dialogue.pk)
    stored = Dialogue.objects.get()
    assert {f.attname: getattr(read, f.attname) for f in Dialogue._meta.concrete_fields} == {
        f.attname: getattr(stored, f.attname) for f in Dialogue._meta.concrete_fields
    }


def test_statements_are_counted(dialogue, django_assert_num_queries):
    with django_assert_num_queries(2):
        read_dialogue(dialogue.pk)
        insert_event(**line(dialogue))


def test_captured_statements_carry_their_values(dialogue):
    with transaction.atomic(), CaptureQueriesContext(connection) as captured:
        insert_event(**line(dialogue, kind="reply.done"))
    (sql,) = [query["sql"] for query in captured.captured_queries if "INSERT" in query["sql"]]
    assert "reply.done" in sql


def test_wrappers_see_every_statement(dialogue):
    seen = []

    def wrapper(execute, sql, params, many, context):
        seen.append(sql.split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        read_dialogue(dialogue.pk)
        insert_event(**line(dialogue))
    assert seen == ["SELECT", "INSERT"]


def test_a_broken_transaction_takes_no_more_statements(dialogue):
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            insert_event(**line(dialogue))


def test_the_fast_way_is_the_usual_one_on_sqlite(dialogue, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("the fast way is SQLite's")
    monkeypatch.setattr(connection, "cursor", None)
    with transaction.atomic(savepoint=False):
        insert_event(**line(dialogue))
    monkeypatch.undo()
    assert LedgerEvent.objects.count() == 1
