"""What the bundle says of the campaign: its seed gives who meets whom next, so it waits until nobody meets anybody any more."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.planning.hidden_orders import plan_seed
from dialogues.masking import Masker
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard
from publication.bundle.documents import board_document_of, campaign_document
from publication.bundle.names import Aliases, TeamNames
from publication.bundle.writing import names_of
from publication.document_now import document_now
from tests.leaderboards.played import played

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


@pytest.mark.parametrize("hides_teams", [False, True], ids=["teams", "aliases"])
def test_a_snapshot_and_its_bundle_say_the_same_figures_in_the_same_order(hides_teams):
    campaign, at = played("smp2018"), timezone.now()
    refresh_leaderboard(campaign=campaign, at=at)
    frozen = document_now(campaign, number=1, hides_teams=hides_teams, at=at, bundle=None)
    bundled = board_document_of(campaign, names_of(campaign, hides_teams=hides_teams, at=timezone.now()))
    told = ("key", "rank", "team", "bot", "n_records", "figures")
    assert len(bundled["rows"]) == 3
    for part in ("rows", "unranked"):
        assert [[row[name] for name in told] for row in bundled[part]] == [
            [row[name] for name in told] for row in frozen[part]
        ]
