from django.db import migrations

# Written by hand: `INSERT OR REPLACE` removes the line before it without asking the trigger on DELETE, unless a connection
# turned recursive triggers on; whoever opens the file with another program has them off. PostgreSQL knows no such insert.
NAME = "audit_trailline_never_replace"
TRIGGER = (
    f"CREATE TRIGGER {NAME} BEFORE INSERT ON audit_trailline FOR EACH ROW"
    " WHEN EXISTS (SELECT 1 FROM audit_trailline WHERE number = NEW.number)"
    " BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
)


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
OF_HEAD = {"DELETE": "", "UPDATE": MOVES_ON, "INSERT": IS_FIRST}
HEAD_FUNCTION = (
    "CREATE FUNCTION trail_head_moves_on() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    f" IF TG_OP = 'UPDATE' THEN IF {MOVES_ON} THEN RETURN NEW; END IF;"
    f" ELSIF TG_OP = 'INSERT' THEN IF {IS_FIRST} THEN RETURN NEW; END IF; END IF;"
    " RAISE EXCEPTION 'the trail never changes' USING ERRCODE = 'integrity_constraint_violation'; END $$"
)


def forbid_replacing(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(TRIGGER)


def allow_replacing(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(f"DROP TRIGGER {NAME}")


def guard_head(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    if not is_sqlite:
        schema_editor.execute(HEAD_FUNCTION)
    for change, allowed in OF_HEAD.items():
        head = f"CREATE TRIGGER audit_trailhead_never_{change.lower()} BEFORE {change} ON audit_trailhead FOR EACH ROW"
        when = f" WHEN NOT ({allowed})" if allowed else ""
        refuse = (
            f"{when} BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
            if is_sqlite
            else " EXECUTE FUNCTION trail_head_moves_on()"
        )
        schema_editor.execute(f"{head}{refuse}")


def unguard_head(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for change in OF_HEAD:
        on_table = "" if is_sqlite else " ON audit_trailhead"
        schema_editor.execute(f"DROP TRIGGER audit_trailhead_never_{change.lower()}{on_table}")
    if not is_sqlite:
        schema_editor.execute("DROP FUNCTION trail_head_moves_on()")


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.RunPython(forbid_replacing, allow_replacing),
        migrations.RunPython(guard_head, unguard_head),
    ]
