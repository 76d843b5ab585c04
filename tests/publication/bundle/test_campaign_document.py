"""What the bundle says of the campaign: its seed gives who meets whom next, so it waits until nobody meets anybody any more."""

import pytest
from django.utils import timezone

from campaigns.hidden_orders import plan_seed
from campaigns.models import Campaign
from dialogues.masking import Masker
from dialogues.models import Dialogue
from publication.bundle.documents import campaign_document
from publication.bundle.names import Aliases, TeamNames

pytestmark = pytest.mark.django_db


def seed_of(names=None):
    return campaign_document(Campaign.objects.get(), names or TeamNames({}, {}))["seed"]


def planned(campaign):
    Campaign.objects.update(free_choice=False, drawing_seed=42)


def test_the_seed_is_left_out_while_an_assignment_is_left(campaign, tester):
    planned(campaign)
    assert seed_of() == plan_seed(Campaign.objects.get())
    campaign.assignments.create(
        tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(), position=1
    )
    assert seed_of() is None
    campaign.entries.update(withdrawn_at=timezone.now())
    assert seed_of() == plan_seed(Campaign.objects.get())


def test_the_seed_is_left_out_while_a_dialogue_is_open_or_a_review_is_left(campaign, dialogue, reviewer):
    planned(campaign)
    assert seed_of() is None
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    assert seed_of() == plan_seed(Campaign.objects.get())
    dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=timezone.now())
    assert seed_of() is None


def test_the_seed_is_left_out_where_testers_choose_and_told_where_teams_are_hidden(campaign):
    """It is that of the plan alone: the drawing seed gives the aliases, and is in no bundle."""
    Campaign.objects.update(free_choice=True, drawing_seed=42)
    assert seed_of() is None
    planned(campaign)
    assert seed_of(Aliases({}, {}, Masker([]))) == seed_of() == plan_seed(Campaign.objects.get()) != 42
