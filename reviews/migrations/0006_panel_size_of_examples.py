from django.db import migrations, models
from django.db.models import Q

ASKED_AS_GOLD = 32767
PANELS_SCORE = ("panel", "both")


def sizes_of_today(apps, _editor):
    """Examples chosen before wait for as many reviews as their campaign asks for now; 0 would show each one at once."""
    examples = apps.get_model("reviews", "GuideExample").objects.all()
    gold = apps.get_model("reviews", "GoldReview").objects.values("dialogue")
    campaigns = apps.get_model("campaigns", "Campaign").objects.all()
    for campaign in campaigns.filter(reviewed_by__in=PANELS_SCORE):
        own = examples.filter(dialogue__assignment__campaign=campaign).exclude(dialogue__in=gold)
        own.update(panel_size=campaign.reviewers_per_dialogue)
    asks_gold = campaigns.filter(Q(training_pass_percent__isnull=False) | Q(gold_every__gt=0))
    of_gold = examples.filter(dialogue__in=gold, dialogue__assignment__campaign__in=asks_gold.values("pk"))
    of_gold.update(panel_size=ASKED_AS_GOLD)


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
        migrations.RunPython(sizes_of_today, migrations.RunPython.noop),
    ]
