import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import Person
from audit.actions import record
from audit.chain import START
from audit.guards import POSTGRESQL, SQLITE, statements_for
from audit.management.commands import verify_trail
from audit.models import TrailHead, TrailLine
from audit.trail_acts import trail_act

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
SAID = trail_act("test.said", "said %(about)s")


def verify(*options):
    out = StringIO()
    try:
        call_command("verify_trail", *options, stdout=out)
    except SystemExit as left:
        return left.code, out.getvalue()
    return 0, out.getvalue()


def without_guard(*statements):
    """Does what somebody who owns the database could do: the guards are off meanwhile, and there again."""
    guards = {name: name.split("_never")[0] for name in expected_guards() if "truncate" not in name}
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for name, table in guards.items():
            cursor.execute(f"DROP TRIGGER {name}" if sqlite else f"ALTER TABLE {table} DISABLE TRIGGER {name}")
        for sql in statements:
            cursor.execute(sql)
        for name, table in guards.items():
            made = (
                next(one for one in statements_for("sqlite") if one.startswith(f"CREATE TRIGGER {name} "))
                if sqlite
                else ""
            )
            cursor.execute(made or f"ALTER TABLE {table} ENABLE TRIGGER {name}")


def expected_guards():
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


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
    "previous": ("'g' || substr(previous, 2)", "line 3: "),
    "salts": ("""'{"person": "x"}'""", ANOTHER),
    "gone": ("""'{"person": "x"}'""", ANOTHER),
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
    # Alone, it says nothing: it is read where a text is gone.
    assert set(CHANGED) | {"erased_by"} == {field.column for field in TrailLine._meta.fields}


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
    with django_assert_num_queries(5) as queries:
        verify()
    assert "FOR UPDATE" not in "".join(query["sql"] for query in queries)


@pytest.mark.django_db
def test_an_empty_trail_of_a_site_without_accounts_holds():
    assert not TrailLine.objects.exists()
    assert not TrailHead.objects.exists()
    assert verify() == (0, f"The trail holds: 0 lines, head {START}.\n")


EMPTIED = ("DELETE FROM audit_trailline", "DELETE FROM audit_trailhead")


def test_an_emptied_trail_of_a_site_with_people_does_not_hold(trail):
    Person.objects.create(username="organizer", date_joined=AT)
    assert verify()[0] == 0
    without_guard(*EMPTIED)
    assert verify() == (
        1,
        "The trail has no line, and the first account was made 2026-11-22 08:00 UTC: earlier lines were removed.\n",
    )


def test_a_trail_that_went_on_after_it_was_emptied_does_not_hold(trail):
    Person.objects.create(username="organizer", date_joined=AT)
    without_guard(*EMPTIED)
    record(SAID, by=None, at=AT + timedelta(hours=1, seconds=1))
    code, text = verify()
    assert (code, text.split(",")[0]) == (1, "The trail begins 2026-11-22 09:00 UTC")


def test_an_account_may_be_a_little_older_than_the_line_that_it_is_made_by(db):
    Person.objects.create(username="organizer", date_joined=AT)
    record(SAID, by=None, at=AT + timedelta(hours=1))
    assert verify()[0] == 0


def test_the_first_superuser_of_a_new_site_leaves_a_line(db):
    call_command("createsuperuser", username="root", email="", interactive=False)
    assert list(TrailLine.objects.values_list("act", "about", "person")) == [("account.superuser", "root", "")]
    assert verify()[0] == 0


@pytest.mark.usefixtures("trail")
@pytest.mark.parametrize("name", expected_guards())
@pytest.mark.parametrize("how", ["missing", *(["switched off"] if connection.vendor == "postgresql" else [])])
def test_a_guard_that_is_not_there_is_named(name, how):
    table = name.split("_never")[0]
    on_table = "" if connection.vendor == "sqlite" else f" ON {table}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DROP TRIGGER {name}{on_table}" if how == "missing" else f"ALTER TABLE {table} DISABLE TRIGGER {name}"
        )
    assert verify() == (1, f"trigger {name}: It is missing, switched off or changed.\n")
    code, text = verify("--format", "json")
    assert (code, json.loads(text)["missing_triggers"]) == (1, [name])


@pytest.mark.usefixtures("trail")
def test_a_guard_that_guards_nothing_is_named():
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER audit_trailline_never_update")
            cursor.execute(
                "CREATE TRIGGER audit_trailline_never_update BEFORE UPDATE ON audit_trailline FOR EACH ROW"
                " WHEN 0 BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
            )
        else:
            cursor.execute(
                "CREATE OR REPLACE FUNCTION trail_line_is_erased() RETURNS trigger LANGUAGE plpgsql"
                " AS $$ BEGIN RETURN NEW; END $$"
            )
    code, text = verify()
    assert code == 1
    assert "trigger audit_trailline_never_update: It is missing, switched off or changed.\n" in text


def test_the_head_that_was_printed_is_found_again_after_more_acts(trail):
    code, printed = verify("--head")
    assert (code, printed.strip()) == (0, TrailLine.objects.get(number=5).hash)
    assert json.loads(verify("--head", "--format", "json")[1]) == {"lines": 5, "head": printed.strip()}
    record(SAID, by=None, at=AT, about="later")
    code, text = verify("--head", printed.strip())
    assert (code, text.splitlines()[1]) == (0, "The given head is that of line 5.")
    assert json.loads(verify("--head", printed.strip(), "--format", "json")[1])["line_of_head"] == 5


def test_a_trail_that_was_written_anew_lacks_the_head_of_before(trail):
    """All hashes are right again: only the copy of the head tells."""
    before = verify("--head")[1].strip()
    without_guard(*EMPTIED)
    for number in range(1, 6):
        record(SAID, by=None, at=AT, about=f"another line {number}")
    assert verify()[0] == 0
    assert verify("--head", before) == (
        1,
        f"No line has the hash {before}: lines to it were removed or written anew.\n",
    )


@pytest.mark.django_db
def test_the_head_before_the_first_line_is_that_of_every_trail():
    assert verify("--head")[1].strip() == START
    record(SAID, by=None, at=AT)
    assert verify("--head", START)[0] == 0


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["", "5", "g" * 64, "0" * 63])
def test_what_is_no_hash_is_refused(typed):
    with pytest.raises(CommandError, match="64 characters"):
        verify("--head", typed)
