"""The preflight's facts are read again once something changed that they are made of, and not before."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from campaigns.models import Campaign
from dialogues.models import Dialogue
from publication import readiness as module
from publication.readiness import facts_of, known_facts, state_of
from reviews.models import Dispute

pytestmark = pytest.mark.django_db


@pytest.fixture
def looks(monkeypatch):
    """How often the facts were read."""
    read = []
    monkeypatch.setattr(module, "facts_of", lambda campaign: read.append(1) or facts_of(campaign))
    return read


def test_a_second_view_looks_at_nothing_again_and_says_the_same(dialogue, campaign, looks):
    with override("en"):
        assert known_facts(campaign) == known_facts(campaign) == facts_of(campaign)
    assert len(looks) == 1
    with override("zh-hans"):
        known_facts(campaign)
    assert len(looks) == 2, "names and reasons are in the reader's language"


CHANGES = {
    "a dialogue closes": lambda campaign: Dialogue.objects.update(status="completed", closed_at=timezone.now()),
    "scores are handed in": lambda campaign: Dialogue.objects.update(scored_at=timezone.now()),
    "a dispute": lambda campaign: Dispute.objects.create(dialogue=Dialogue.objects.get(), opened_at=timezone.now()),
    "a bot is withdrawn": lambda campaign: campaign.entries.update(withdrawn_at=timezone.now()),
    "somebody pauses": lambda campaign: campaign.roles.filter(role="tester").update(
        paused_at=timezone.now(), paused_because="x"
    ),
    "a scenario": lambda campaign: campaign.scenarios.create(key="x", position=9),
    "a setting": lambda campaign: Campaign.objects.update(reviewed_by="panel"),
    "another board": lambda campaign: campaign.stored_boards.create(key="live", computed_at=timezone.now()),
    "the rubric": lambda campaign: campaign.rubric.criteria.update(name_en="x"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_what_it_looks_at_is_another_state(change, dialogue, campaign):
    before = state_of(campaign)
    assert state_of(campaign) == before
    change(campaign)
    assert state_of(campaign) != before


def test_asking_whether_anything_changed_takes_as_many_queries_as_there_are_tables(
    dialogue, campaign, looks, django_assert_num_queries
):
    known_facts(campaign)
    with django_assert_num_queries(17):
        known_facts(campaign)
    assert len(looks) == 1
