from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0005_guide_examples'),
    ]

    operations = [
        migrations.AddField(
            model_name='guideexample',
            name='panel_size',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='guideexample',
            name='removed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
