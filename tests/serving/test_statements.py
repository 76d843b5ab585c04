"""Statements store what the ORM would read, and are seen by whoever counts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from serving.statements import Insert, Statement
from testing_console.models import LedgerEvent, Turn
from tests.testing_console.test_actions import Talk

pytestmark = pytest.mark.django_db

insert_event = Insert(LedgerEvent)
insert_turn = Insert(Turn)
count_lines = Statement(
    f"SELECT count(*) FROM {LedgerEvent._meta.db_table} WHERE dialogue_id = %s AND kind = %s AND at > %s",
    (LedgerEvent, "dialogue"), (LedgerEvent, "kind"), (LedgerEvent, "at"),
)  # fmt: skip
AT = datetime(2026, 11, 21, 10, 30, 0, 5, tzinfo=timezone(timedelta(hours=8)))


def line(dialogue, **changed):
    return LedgerEvent(**{"dialogue_id": dialogue.pk, "seq": 1, "kind": "x", "frame": "{}", "at": AT} | changed)


def stored_fields(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_row_is_read_by_the_orm_as_it_was_stored(dialogue):
    row = Turn(
        dialogue_id=dialogue.pk, number=1, subtask=1, spent=1, turn_cap=3, key="k", text="好\n\"😀", texts=["甲", "\u2028"],
        flags=["cut"], seq=1, outcome_seq=2, asked_at=AT, owner="here",
    )  # fmt: skip
    insert_turn(row)
    stored = Turn.objects.get()
    assert stored_fields(stored) == stored_fields(row)
    assert stored.asked_at == datetime(2026, 11, 21, 2, 30, 0, 5, tzinfo=UTC)
    stored.text = "geändert"
    stored.save()
    assert Turn.objects.get(pk=row.pk).text == "geändert"


def test_what_the_orm_stored_is_found_by_the_same_values(dialogue):
    line(dialogue).save()
    assert count_lines(dialogue.pk, "x", AT - timedelta(microseconds=1)).fetchone()[0] == 1
    assert count_lines(dialogue.pk, "x", AT).fetchone()[0] == 0


def test_a_constraint_that_is_broken_is_an_error_of_django(dialogue, admission):
    turn = Talk(dialogue, admission).send("k").asked.turn
    turn.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_turn(turn)


def test_statements_are_counted(dialogue, django_assert_num_queries):
    with django_assert_num_queries(2):
        count_lines(dialogue.pk, "x", AT)
        insert_event(line(dialogue))


def test_captured_statements_carry_their_values(dialogue):
    with transaction.atomic(), CaptureQueriesContext(connection) as captured:
        insert_event(line(dialogue, kind="reply.done"))
    (sql,) = [query["sql"] for query in captured.captured_queries if "INSERT" in query["sql"]]
    assert "reply.done" in sql


def test_wrappers_see_every_statement(dialogue):
    seen = []

    def wrapper(execute, sql, params, many, context):
        seen.append(sql.split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        count_lines(dialogue.pk, "x", AT)
        insert_event(line(dialogue))
    assert seen == ["SELECT", "INSERT"]


def test_a_broken_transaction_takes_no_more_statements(dialogue):
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            insert_event(line(dialogue))


def test_the_fast_way_is_the_usual_one_on_sqlite(dialogue, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("the fast way is SQLite's")
    monkeypatch.setattr(connection, "cursor", None)
    with transaction.atomic(savepoint=False):
        insert_event(line(dialogue))
    monkeypatch.undo()
    assert LedgerEvent.objects.count() == 1
