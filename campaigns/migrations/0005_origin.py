from django.db import migrations, models


def from_files_and_imports(apps, schema_editor):
    """Rows that exist came from a file, but for what imports made."""
    for name in ("CampaignRole", "TeamMember", "Scenario", "Entry"):
        apps.get_model("campaigns", name).objects.update(origin="file")
    apps.get_model("campaigns", "Entry").objects.filter(is_declared=False).update(origin="import")
    apps.get_model("campaigns", "Scenario").objects.filter(key="imported").update(origin="import")


def added(model, row):
    choices = [("file", "campaign file"), ("page", "browser"), ("import", "import")]
    condition = models.Q(("origin__in", [key for key, _ in choices]))
    return [
        migrations.AddField(model, "origin", models.CharField(choices=choices, default="page", max_length=10)),
        migrations.AddConstraint(
            model, models.CheckConstraint(condition=condition, name=f"origin_of_{row}_is_known")
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [
        ('campaigns', '0004_calendar'),("campaigns", "0004_calendar")]

    operations = [
        *added("campaignrole", "role"),
        *added("teammember", "team_member"),
        *added("scenario", "scenario"),
        *added("entry", "entry"),
        migrations.AlterModelOptions("scenario", {"ordering": ["position", "pk"]}),
        migrations.RunPython(from_files_and_imports, migrations.RunPython.noop),
        migrations.RemoveField("entry", "is_declared"),
    ]
