from django.db import migrations

# Written by hand: `INSERT OR REPLACE` removes the line before it without asking the trigger on DELETE, unless a connection
# turned recursive triggers on; whoever opens the file with another program has them off. PostgreSQL knows no such insert.
NAME = "audit_trailline_never_replace"
TRIGGER = (
    f"CREATE TRIGGER {NAME} BEFORE INSERT ON audit_trailline FOR EACH ROW"
    " WHEN EXISTS (SELECT 1 FROM audit_trailline WHERE number = NEW.number)"
    " BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
)


def forbid_replacing(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(TRIGGER)


def allow_replacing(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(f"DROP TRIGGER {NAME}")


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [migrations.RunPython(forbid_replacing, allow_replacing)]
