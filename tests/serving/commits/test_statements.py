"""Statements store what the ORM would read, and are seen by whoever counts."""

from datetime import datetime, timedelta, timezone

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from dialogues.models import LedgerEvent, Turn
from serving.commits.shared_transaction import shared_transaction
from serving.commits.statements import Statement, insert

pytestmark = pytest.mark.django_db

insert_event = insert(LedgerEvent, "dialogue", "seq", "kind", "frame", "fault", "at")
insert_turn = insert(
    Turn, "dialogue", "number", "subtask", "spent", "turn_cap", "key", "text", "status", "attempt_number", "texts",
    "flags", "latency_ms", "seq", "outcome_seq", "asked_at", "settled_at", "owner",
)  # fmt: skip
count_lines = Statement(
    f"SELECT count(*) FROM {LedgerEvent._meta.db_table} WHERE dialogue_id = %s AND kind = %s AND at > %s",
    (LedgerEvent, "dialogue"), (LedgerEvent, "kind"), (LedgerEvent, "at"),
)  # fmt: skip
AT = datetime(2026, 11, 21, 10, 30, 0, 5, tzinfo=timezone(timedelta(hours=8)))


def line(dialogue, kind="x"):
    return dialogue.pk, 1, kind, "{}", "", AT


def turn(dialogue, key="k"):
    texts = ["甲", '\u2028 "😀']
    return dialogue.pk, 1, 1, 1, 3, key, '好\n"😀', "waiting", 1, texts, [], None, 1, 2, AT, None, "here"


@pytest.fixture(params=[shared_transaction, transaction.atomic], ids=["shared", "django's"])
def in_transaction(request):
    return request.param


def test_a_row_is_read_by_the_orm_as_it_was_stored(dialogue, in_transaction):
    with in_transaction():
        (key,) = insert_turn(*turn(dialogue)).fetchone()
    stored = Turn.objects.values_list(
        "dialogue", "number", "subtask", "spent", "turn_cap", "key", "text", "status", "attempt_number", "texts",
        "flags", "latency_ms", "seq", "outcome_seq", "asked_at", "settled_at", "owner",
    ).get(pk=key)  # fmt: skip
    assert stored == turn(dialogue)


def test_both_ways_store_the_same(dialogue, in_transaction):
    """SQLite's own form of times, keys and lists is the one that Django's fields give them."""
    Turn.objects.create(**dict(zip(NAMES, turn(dialogue), strict=True)))
    (by_django,) = raw_rows()
    Turn.objects.all().delete()
    with in_transaction():
        insert_turn(*turn(dialogue))
    assert raw_rows() == [by_django]


def test_many_at_once_store_the_same(dialogue):
    """Also what JSON would say in another way: times, keys, nothing, quotes."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is given one after the other")
    Turn.objects.create(**dict(zip(NAMES, turn(dialogue), strict=True)))
    by_django = raw_rows()
    Turn.objects.all().delete()
    ((key,),) = insert_turn.rows([turn(dialogue)])
    assert Turn.objects.get().pk == key
    assert raw_rows() == by_django


NAMES = (
    "dialogue_id", "number", "subtask", "spent", "turn_cap", "key", "text", "status", "attempt_number", "texts",
    "flags", "latency_ms", "seq", "outcome_seq", "asked_at", "settled_at", "owner",
)  # fmt: skip


def raw_rows():
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(NAMES)} FROM {Turn._meta.db_table}")
        return cursor.fetchall()


def test_what_the_orm_stored_is_found_by_the_same_values(dialogue, in_transaction):
    LedgerEvent.objects.create(dialogue=dialogue, seq=1, kind="x", frame="{}", at=AT)
    with in_transaction():
        assert count_lines(dialogue.pk, "x", AT - timedelta(microseconds=1)).fetchone()[0] == 1
        assert count_lines(dialogue.pk, "x", AT).fetchone()[0] == 0


def test_a_constraint_that_is_broken_is_an_error_of_django(dialogue, in_transaction):
    with in_transaction():
        insert_turn(*turn(dialogue))
    with pytest.raises(IntegrityError), in_transaction():
        insert_turn(*turn(dialogue, key="another"))


def test_statements_are_counted(dialogue, django_assert_num_queries):
    with django_assert_num_queries(2):
        count_lines(dialogue.pk, "x", AT)
        insert_event(*line(dialogue))


def test_captured_statements_carry_their_values(dialogue):
    with CaptureQueriesContext(connection) as captured, shared_transaction():
        insert_event(*line(dialogue, kind="reply.done"))
    (sql,) = [query["sql"] for query in captured.captured_queries if "INSERT" in query["sql"]]
    assert "reply.done" in sql


def test_wrappers_see_every_statement(dialogue):
    seen = []

    def wrapper(execute, sql, params, many, context):
        seen.append(sql.split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper), shared_transaction():
        count_lines(dialogue.pk, "x", AT)
        insert_event(*line(dialogue))
    assert [word for word in seen if word in {"SELECT", "INSERT"}] == ["SELECT", "INSERT"]


def test_a_broken_transaction_takes_no_more_statements(dialogue):
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            insert_event(*line(dialogue))


def test_in_a_shared_transaction_the_driver_is_asked_without_a_detour(dialogue, monkeypatch):
    with shared_transaction():
        monkeypatch.setattr(connection, "cursor", None)
        insert_event(*line(dialogue))
        monkeypatch.undo()
    assert LedgerEvent.objects.count() == 1
