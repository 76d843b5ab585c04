import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("automatic_tasks", "0002_a_service_run_keeps_what_it_asks")]

    operations = [
        migrations.AddField("automatictask", "board_troubles", models.JSONField(blank=True, default=list)),
        migrations.AddField("automatictask", "n_board_troubles", models.PositiveIntegerField(default=0)),
        migrations.AddField("automatictask", "board_trouble_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("automatictask", "compare_again_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "score", "version", models.CharField(default="before versions", max_length=60), preserve_default=False
        ),
        migrations.AddField("workerpresence", "n_troubles", models.PositiveIntegerField(default=0)),
        migrations.AddField("workerpresence", "trouble", models.CharField(blank=True, max_length=200)),
        migrations.AddField("workerpresence", "trouble_at", models.DateTimeField(blank=True, null=True)),
        # Comparisons are made again from the scores, so the table is made anew instead of turning runs into scores.
        migrations.DeleteModel("comparison"),
        migrations.CreateModel(
            "Comparison",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("p_values", models.JSONField()),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="automatic_tasks.score"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="automatic_tasks.score"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("one", "other"), name="pair_compared_once")]
            },
        ),
    ]
