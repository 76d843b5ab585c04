from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from audit.actions import erase_texts, record
from audit.chain import breaks_in
from audit.models import TrailHead, TrailLine, head_of_trail, stored_lines
from audit.trail_acts import trail_act

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
KEPT = trail_act("test.kept", "kept %(about)s")
ERASED = trail_act("erased.in_a_test", "erased texts")


@pytest.mark.django_db
@pytest.mark.parametrize("sql", ["UPDATE audit_trailline SET because = 'x'", "DELETE FROM audit_trailline"])
def test_the_database_refuses_to_change_or_remove_a_line(sql):
    record(KEPT, by=None, at=AT, because="why")
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(sql)
    assert TrailLine.objects.get().because == "why"


def erased(without):
    """Two lines, of whose first the texts were erased that `without` gives; the number of changed lines."""
    record(KEPT, by=None, at=AT, about="K7 · alice", because="why", details={"person": "alice", "n": 3})
    record(KEPT, by=None, at=AT, about="K8")
    said_by = record(ERASED, by=None, at=AT)
    return erase_texts(said_by=said_by, without=lambda line: without if line.number == 1 else {})


def breaks():
    head = head_of_trail()
    return list(breaks_in(stored_lines(up_to=head.n_lines), n_lines=head.n_lines, head=head.hash))


@pytest.mark.django_db
def test_an_erased_text_is_gone_with_its_salt_and_the_chain_holds():
    assert erased({"about": "K7 · erased-1", "details": {"person": "erased-1", "n": 3}}) == 1
    line = TrailLine.objects.get(number=1)
    assert (line.about, line.because) == ("K7 · erased-1", "why")
    assert set(line.salts) == {"person", "because"}
    assert set(line.gone) == {"about", "details"}
    assert line.erased_by == 3
    assert breaks() == []


@pytest.mark.django_db
def test_a_text_can_lose_a_second_name_and_its_first_digest_stays():
    erased({"about": "K7 · erased-1"})
    before = TrailLine.objects.get(number=1).gone
    again = record(ERASED, by=None, at=AT)
    erase_texts(said_by=again, without=lambda line: {"about": "erased-2"}, among=TrailLine.objects.filter(number=1))
    line = TrailLine.objects.get(number=1)
    assert (line.about, line.gone, line.erased_by) == ("erased-2", before, again.number)
    assert breaks() == []


@pytest.mark.django_db
def test_no_other_act_erases():
    said_by = record(KEPT, by=None, at=AT)
    with pytest.raises(ValueError, match="no act that erases"):
        erase_texts(said_by=said_by, without=lambda line: {"about": ""})


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        "because = 'x'", "erased_by = 3, act = 'x'", "hash = 'x'", "previous = 'x'", "person_id = 9", "campaign = 'x'",
        "erased_by = 2, gone = '{\"because\": \"x\"}', salts = '{\"person\": \"x\"}'",
        "gone = '{\"because\": \"x\"}', because = ''",
        "gone = '{\"about\": \"x\"}'",
        "because = '', salts = '{}'",
    ],
)  # fmt: skip
def test_the_database_lets_nothing_change_but_what_an_act_of_erasing_covers(change):
    erased({"about": "K7"})
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(f"UPDATE audit_trailline SET {change} WHERE number = 1")
    assert breaks() == []


HEAD_CHANGES = (
    "DELETE FROM audit_trailhead",
    "UPDATE audit_trailhead SET n_lines = 0",
    "UPDATE audit_trailhead SET n_lines = n_lines + 1",
    "UPDATE audit_trailhead SET hash = previous FROM audit_trailline WHERE number = n_lines",
    "UPDATE audit_trailhead SET n_lines = n_lines - 1, hash = previous FROM audit_trailline WHERE number = n_lines",
    "INSERT INTO audit_trailhead (id, n_lines, hash) VALUES (1, 0, 'x') ON CONFLICT (id) DO UPDATE SET n_lines = 0",
)
REPLACED = "REPLACE INTO audit_trailhead (id, n_lines, hash) VALUES (1, 0, 'x')"


@pytest.mark.django_db
@pytest.mark.parametrize("sql", [*HEAD_CHANGES, *([REPLACED] if connection.vendor == "sqlite" else [])])
def test_the_head_of_the_trail_only_moves_on(sql):
    for _ in range(2):
        last = record(KEPT, by=None, at=AT)
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(sql)
    head = TrailHead.objects.get()
    assert (head.n_lines, head.hash) == (last.number, last.hash)
    assert record(KEPT, by=None, at=AT).previous == last.hash


@pytest.mark.django_db
def test_no_head_begins_behind_its_lines():
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        TrailHead.objects.create(pk=TrailHead.ONLY, n_lines=3)
    assert record(KEPT, by=None, at=AT).number == 1


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL has TRUNCATE")
@pytest.mark.parametrize("table", ["audit_trailline", "audit_trailhead", "audit_trailhead, audit_trailline"])
def test_the_database_refuses_to_empty_the_trail(table):
    record(KEPT, by=None, at=AT, because="why")
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(f"TRUNCATE {table}")
    assert TrailLine.objects.get().because == "why"
    assert TrailHead.objects.get().n_lines == 1


@pytest.mark.django_db(transaction=True)
def test_the_flush_between_tests_empties_the_trail_and_leaves_its_guards():
    with transaction.atomic():
        record(KEPT, by=None, at=AT, because="why")
    call_command("flush", interactive=False, verbosity=0)
    assert not TrailLine.objects.exists()
    with transaction.atomic():
        record(KEPT, by=None, at=AT, because="why")
    empty = "DELETE FROM" if connection.vendor == "sqlite" else "TRUNCATE"
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(f"{empty} audit_trailline")


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has such an insert")
@pytest.mark.parametrize("insert", ["REPLACE", "INSERT OR REPLACE"])
def test_the_database_lets_no_line_take_the_place_of_another(insert):
    record(KEPT, by=None, at=AT, because="why")
    columns = "number, at, person, act, campaign, about, because, details, salts, gone, previous, hash"
    changed = columns.replace("because,", "'x',")
    sql = f"{insert} INTO audit_trailline ({columns}) SELECT {changed} FROM audit_trailline"
    with pytest.raises(DatabaseError, match="the trail never changes"), transaction.atomic():
        connection.cursor().execute(sql)
    assert TrailLine.objects.get().because == "why"


@pytest.mark.django_db
def test_lines_come_in_the_order_of_their_numbers():
    last = [record(KEPT, by=None, at=AT, about=about) for about in ("a", "b", "c", "d")][2].number
    assert [stored.line.about for stored in stored_lines(up_to=last)] == ["a", "b", "c"]
