

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('testing_console', '0001_initial'),
        ("testing_console", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="measured_fault",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
    ]
