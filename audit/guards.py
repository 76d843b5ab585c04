"""The triggers by which the database refuses to change the trail, and which of them a database lacks.

A database owner can drop a trigger, write, and create it again: a trigger that is there proves little, a missing one proves
much. `verify_trail` compares each with its statement here.
"""

from collections.abc import Iterator

from django.db.backends.base.base import BaseDatabaseWrapper

from audit.chain import ERASING, TEXTS

LINES, HEAD = "audit_trailline", "audit_trailhead"

_SAME = ("number", "at", "person_id", "act", "campaign", "previous", "hash")


def only_erases(value_in: str, differs: str) -> str:
    """The condition under which a line may change: a text that does has its digest in `gone`, and a later act of erasing says so.

    `value_in` gives a key of a JSON column, `differs` compares what may be NULL; both are the database's own.
    """
    same = [f"NOT NEW.{name} {differs} OLD.{name}" for name in _SAME]
    for name in TEXTS:
        now, before = (value_in.format(f"{row}.gone", name) for row in ("NEW", "OLD"))
        salt, salt_before = (value_in.format(f"{row}.salts", name) for row in ("NEW", "OLD"))
        is_kept = f"{now} IS NULL AND {before} IS NULL AND NOT NEW.{name} {differs} OLD.{name} AND NOT {salt} {differs} {salt_before}"
        is_gone = f"{now} IS NOT NULL AND {salt} IS NULL AND ({before} IS NULL OR {before} = {now})"
        same.append(f"({is_kept} OR {is_gone})")
    same.append(
        f"EXISTS (SELECT 1 FROM {LINES} WHERE number = NEW.erased_by AND number > OLD.number AND substr(act, 1, {len(ERASING)}) = '{ERASING}')"
    )
    return " AND ".join(same)


_ERASES_ON_SQLITE = only_erases("json_extract({}, '$.{}')", "IS NOT")
_ERASES_ON_POSTGRESQL = only_erases("{}->>'{}'", "IS DISTINCT FROM")


# The head only moves on, to the line that was just added behind the one it named. One that comes later than its lines, as
# where rows are stored again, names the last of them.
MOVES_ON = (
    "NEW.id = OLD.id AND NEW.n_lines = OLD.n_lines + 1 AND EXISTS (SELECT 1 FROM audit_trailline"
    " WHERE number = NEW.n_lines AND previous = OLD.hash AND hash = NEW.hash)"
)
IS_FIRST = (
    "NOT EXISTS (SELECT 1 FROM audit_trailhead)"
    " AND NEW.n_lines = (SELECT coalesce(max(number), 0) FROM audit_trailline)"
)
REFUSE_ON_SQLITE = "BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
REFUSE_ON_POSTGRESQL = (
    "RAISE EXCEPTION 'the trail never changes' USING ERRCODE = 'integrity_constraint_violation'; END "
)

SQLITE = {
    f"{LINES}_never_update": f"BEFORE UPDATE ON {LINES} FOR EACH ROW WHEN NOT ({_ERASES_ON_SQLITE}) {REFUSE_ON_SQLITE}",
    f"{LINES}_never_delete": f"BEFORE DELETE ON {LINES} FOR EACH ROW {REFUSE_ON_SQLITE}",
    # `INSERT OR REPLACE` removes the line before it without asking the trigger on DELETE, unless a connection turned
    # recursive triggers on; another program that opens the file has them off. PostgreSQL knows no such insert.
    f"{LINES}_never_replace": f"BEFORE INSERT ON {LINES} FOR EACH ROW"
    f" WHEN EXISTS (SELECT 1 FROM {LINES} WHERE number = NEW.number) {REFUSE_ON_SQLITE}",
    f"{HEAD}_never_delete": f"BEFORE DELETE ON {HEAD} FOR EACH ROW {REFUSE_ON_SQLITE}",
    f"{HEAD}_never_update": f"BEFORE UPDATE ON {HEAD} FOR EACH ROW WHEN NOT ({MOVES_ON}) {REFUSE_ON_SQLITE}",
    f"{HEAD}_never_insert": f"BEFORE INSERT ON {HEAD} FOR EACH ROW WHEN NOT ({IS_FIRST}) {REFUSE_ON_SQLITE}",
}

# The bodies of the functions that the triggers call.
FUNCTIONS = {
    "trail_never_changes": f" BEGIN {REFUSE_ON_POSTGRESQL}",
    "trail_line_is_erased": f" BEGIN IF {_ERASES_ON_POSTGRESQL} THEN RETURN NEW; END IF; {REFUSE_ON_POSTGRESQL}",
    "trail_head_moves_on": f" BEGIN IF TG_OP = 'UPDATE' THEN IF {MOVES_ON} THEN RETURN NEW; END IF;"
    f" ELSIF TG_OP = 'INSERT' THEN IF {IS_FIRST} THEN RETURN NEW; END IF; END IF; {REFUSE_ON_POSTGRESQL}",
}
POSTGRESQL = {
    f"{LINES}_never_update": f"BEFORE UPDATE ON {LINES} FOR EACH ROW EXECUTE FUNCTION trail_line_is_erased()",
    f"{LINES}_never_delete": f"BEFORE DELETE ON {LINES} FOR EACH ROW EXECUTE FUNCTION trail_never_changes()",
    # No row trigger hears of TRUNCATE; SQLite has none, its DELETE of all rows asks for each.
    f"{LINES}_never_truncate": f"BEFORE TRUNCATE ON {LINES} FOR EACH STATEMENT EXECUTE FUNCTION trail_never_changes()",
    # The head's, too: with both tables empty, an empty trail would hold.
    f"{HEAD}_never_truncate": f"BEFORE TRUNCATE ON {HEAD} FOR EACH STATEMENT EXECUTE FUNCTION trail_never_changes()",
    f"{HEAD}_never_delete": f"BEFORE DELETE ON {HEAD} FOR EACH ROW EXECUTE FUNCTION trail_head_moves_on()",
    f"{HEAD}_never_update": f"BEFORE UPDATE ON {HEAD} FOR EACH ROW EXECUTE FUNCTION trail_head_moves_on()",
    f"{HEAD}_never_insert": f"BEFORE INSERT ON {HEAD} FOR EACH ROW EXECUTE FUNCTION trail_head_moves_on()",
}


def statements_for(vendor: str) -> Iterator[str]:
    """What makes the guards in an empty database."""
    if vendor != "sqlite":
        for name, body in FUNCTIONS.items():
            yield f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    for name, rest in _triggers(vendor).items():
        yield f"CREATE TRIGGER {name} {rest}"


def missing_guards(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the triggers that the database lacks, has switched off, or has with another content."""
    stored = _stored_on_sqlite(connection) if connection.vendor == "sqlite" else _stored_on_postgresql(connection)
    return [name for name, rest in _triggers(connection.vendor).items() if stored.get(name) != rest]


def _triggers(vendor: str) -> dict[str, str]:
    return SQLITE if vendor == "sqlite" else POSTGRESQL


def _stored_on_sqlite(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name: sql.removeprefix(f"CREATE TRIGGER {name} ") for name, sql in cursor.fetchall()}


def _stored_on_postgresql(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Without those that are switched off, or whose function has another body."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, pg_get_triggerdef(pg_trigger.oid, true), proname, prosrc FROM pg_trigger"
            " JOIN pg_proc ON pg_proc.oid = tgfoid"
            " WHERE tgrelid IN (%s::regclass, %s::regclass) AND tgenabled IN ('O', 'A')",
            [LINES, HEAD],
        )
        return {
            name: definition.removeprefix(f"CREATE TRIGGER {name} ")
            for name, definition, function, body in cursor.fetchall()
            if FUNCTIONS.get(function) == body
        }
