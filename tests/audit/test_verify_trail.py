import json
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from audit.actions import record
from audit.acts import act
from audit.management.commands import verify_trail
from audit.models import TrailHead, TrailLine

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
SAID = act("test.said", "said %(about)s")


def verify(*options):
    out = StringIO()
    try:
        call_command("verify_trail", *options, stdout=out)
    except SystemExit as left:
        return left.code, out.getvalue()
    return 0, out.getvalue()


def without_guard(sql, *values):
    """Does what somebody with the database's file could do."""
    on_table = "" if connection.vendor == "sqlite" else " ON audit_trailline"
    with connection.cursor() as cursor:
        for change in ("update", "delete"):
            cursor.execute(f"DROP TRIGGER audit_trailline_never_{change}{on_table}")
        cursor.execute(sql, values)


@pytest.fixture
def trail(db):
    for number in range(1, 6):
        record(SAID, by=None, at=AT, about=f"line {number}", details={"前": "后", "share": 0.1, "n": number})


def test_a_trail_that_nobody_touched_holds(trail):
    code, text = verify()
    assert code == 0
    assert text.startswith("The trail holds: 5 lines, head ")


ANOTHER = "line 3: Its content is not what was recorded."
# By column: another value, and what is said of line 3, whose number was 3.
CHANGED = {
    **{name: (f"{name} || 'x'", ANOTHER) for name in ("person", "act", "campaign", "about", "because")},
    "at": ("'2026-11-22 08:00:01+00:00'", ANOTHER),
    "person_id": ("7", ANOTHER),
    "details": ("""'{"n": 3, "share": 0.1, "前": "後"}'""", ANOTHER),
    "previous": ("'1' || substr(previous, 2)", "line 3: "),
    "hash": ("'g' || substr(hash, 2)", "line 3: "),
    "number": ("9", "line 3: Lines 3 to 3 are missing."),
}


@pytest.mark.usefixtures("trail")
@pytest.mark.parametrize("column", CHANGED)
def test_one_changed_byte_is_found(column):
    value, said = CHANGED[column]
    without_guard(f"UPDATE audit_trailline SET {column} = {value} WHERE number = 3")
    code, text = verify()
    assert (code, text[: len(said)]) == (1, said)


def test_every_column_is_tried():
    assert set(CHANGED) == {field.column for field in TrailLine._meta.fields}


def test_a_removed_line_is_found(trail):
    without_guard("DELETE FROM audit_trailline WHERE number = 2")
    assert verify() == (1, "line 2: Lines 2 to 2 are missing.\n")


def test_programs_read_where_it_breaks(trail):
    without_guard("DELETE FROM audit_trailline WHERE number = 5")
    code, text = verify("--format", "json")
    assert code == 1
    assert json.loads(text)["breaks"] == [{"line": 5, "problem": "The trail ends at line 4; the head says 5."}]


def test_a_line_beyond_the_head_is_found(trail):
    line = TrailLine.objects.get(number=5)
    line.number = 6
    line.save(force_insert=True)
    assert verify()[0] == 1


def test_acts_go_on_while_the_trail_is_read(trail, monkeypatch):
    """A line that is added between the look at the head and the reading of lines is no break."""
    as_it_stands = verify_trail.trail_as_it_stands

    def then_somebody_acts():
        found = as_it_stands()
        record(SAID, by=None, at=AT, about="meanwhile")
        return found

    monkeypatch.setattr(verify_trail, "trail_as_it_stands", then_somebody_acts)
    code, text = verify()
    assert (code, text[:25]) == (0, "The trail holds: 5 lines,")


def test_reading_the_trail_locks_nothing(trail, django_assert_num_queries):
    with django_assert_num_queries(2) as queries:
        verify()
    assert "FOR UPDATE" not in "".join(query["sql"] for query in queries)


@pytest.mark.django_db
def test_an_empty_trail_holds():
    assert not TrailLine.objects.exists()
    assert not TrailHead.objects.exists()
    assert verify()[0] == 0
