"""People who are erased, words that are redacted, campaigns that are archived and deleted: pages and the API."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign
from tests.reviews.conftest import closed_dialogue
from tests.trail_tries.stage import PASSWORD
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/"


def with_staff(stage):
    Person.objects.filter(username="organizer").update(is_staff=True)


def over(stage):
    Campaign.objects.update(ends_at=timezone.now() - timedelta(hours=1))
    settings, folder = stage.fixture("settings"), stage.fixture("tmp_path")
    settings.VAR_DIR = folder


@tries("POST account/erase/", "erased.person", by="tester")
@tries("POST api/v1/account/erase/", "erased.person", by="tester")
def _(stage):
    return "", {"typed": "tester", "password": PASSWORD}


@tries("POST people/<int:person_id>/erase/", "erased.person")
def _(stage):
    with_staff(stage)
    return f"/people/{stage.person('tester').pk}/erase/", {"typed": "tester"}


@tries("POST api/v1/people/<int:person_id>/erase/", "erased.person")
def _(stage):
    with_staff(stage)
    return f"/api/v1/people/{stage.person('tester').pk}/erase/", {"typed": "tester"}


@tries(f"POST {C}redact/<uuid:dialogue_id>/", "erased.words")
def _(stage):
    dialogue = closed_dialogue(stage.campaign, stage.person("tester"))
    return f"/campaigns/small/redact/{dialogue.pk}/", {"where": "1.bot", "words": "好", "because": "private"}


@tries(f"POST api/v1/{C}redact/<uuid:dialogue_id>/", "erased.words")
def _(stage):
    dialogue = closed_dialogue(stage.campaign, stage.person("tester"))
    return f"/api/v1/campaigns/small/redact/{dialogue.pk}/", {"span": "1.bot", "because": "private"}


@tries(f"POST {C}removal/archive/", "privacy.campaign_archived")
@tries(f"POST api/v1/{C}removal/archive/", "privacy.campaign_archived")
def _(stage):
    over(stage)
    return "", {"typed": "small"}


@tries(f"POST {C}removal/delete/", "privacy.campaign_deleted")
@tries(f"POST api/v1/{C}removal/delete/", "privacy.campaign_deleted")
def _(stage):
    with_staff(stage)
    return "", {"typed": "small"}
