"""What is next for a reviewer: the next dialogue, or waiting; counted in one query for all campaigns."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from campaigns.actions import load_campaign
from campaigns.models import Campaign, CampaignRole, Role
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue
from frame.campaign_progress import standing_of
from frame.campaign_rows import own_rows
from frame.next_steps import reviewed_counts, reviewing_steps, steps_in, waiting_counts
from reviews.models import Dispute
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db


def steps(campaign, *roles, **counts):
    with translation.override("en"):
        return reviewing_steps(campaign, frozenset(roles), **counts)


def test_places_are_counted_but_those_that_were_given_back(campaign, dialogue, reviewer, django_assert_num_queries):
    place = dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=timezone.now())
    with django_assert_num_queries(1):
        assert reviewed_counts(reviewer, [campaign]) == {campaign.pk: (0, 1)}
    place.done_at = timezone.now()
    place.save()
    assert reviewed_counts(reviewer, [campaign]) == {campaign.pk: (1, 1)}
    place.done_at, place.released_at = None, timezone.now()
    place.save()
    assert reviewed_counts(reviewer, [campaign]) == {}


def test_a_reviewer_is_led_to_the_next_dialogue_and_told_when_there_is_none(campaign):
    campaign.reviewed_by = "panel"
    (step,) = steps(campaign, Role.REVIEWER, reviewed=(1, 3))
    assert (step.title, step.url) == ("Review the next dialogue", "/campaigns/small/review/")
    assert (step.n_done, step.n_all, step.to_do) == (1, 3, True)
    (step,) = steps(campaign, Role.REVIEWER, reviewed=(3, 3))
    assert (step.title, step.to_do) == ("All dialogues are reviewed", False)
    assert steps(campaign, Role.REVIEWER)[0].title == "Nothing to review yet"
    campaign.reviewed_by = "self"
    (step,) = steps(campaign, Role.REVIEWER)
    assert (step.title, step.text) == (
        "Nothing to review now",
        "In this campaign testers score their own dialogues.",
    )
    assert (step.url, step.to_do) == ("", False)
    campaign.reviewed_by = "nobody"
    assert steps(campaign, Role.REVIEWER)[0].text == "In this campaign dialogues are only collected."


@pytest.mark.parametrize("role", [Role.ADJUDICATOR, Role.EXPERT])
def test_who_only_decides_or_vets_is_told_whether_anything_waits(campaign, role):
    (step,) = steps(campaign, role)
    assert (step.title, step.to_do) == ("Nothing to decide now", False)
    (step,) = steps(campaign, role, n_waiting=2)
    assert (step.title, step.text) == ("Decide or vet", "2 decisions wait for you.")
    assert step.to_do


def test_who_reviews_and_decides_has_a_step_for_a_decision_that_waits(campaign):
    campaign.reviewed_by = "panel"
    both = (Role.REVIEWER, Role.ADJUDICATOR)
    assert [step.title for step in steps(campaign, *both, reviewed=(3, 3))] == ["All dialogues are reviewed"]
    waiting = steps(campaign, *both, reviewed=(3, 3), n_waiting=1)
    assert [(step.title, step.to_do) for step in waiting] == [
        ("All dialogues are reviewed", False),
        ("Decide or vet", True),
    ]
    assert waiting[1].text == "1 decision waits for you."


def test_disputes_and_dialogues_to_vet_are_counted_in_one_query_each(
    campaign, dialogue, reviewer, django_assert_num_queries
):
    Campaign.objects.update(experts_per_dialogue=2)
    campaign.refresh_from_db()
    other = Campaign.objects.create(slug="other", name_zh="x", name_en="x", rubric=campaign.rubric)
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    places = {campaign: frozenset({Role.ADJUDICATOR, Role.EXPERT}), other: frozenset({Role.ADJUDICATOR})}
    with django_assert_num_queries(2):
        assert waiting_counts(reviewer, places) == {campaign.pk: 2}
    assert waiting_counts(reviewer, {campaign: frozenset({Role.EXPERT})}) == {campaign.pk: 1}
    dialogue.vettings.create(expert=reviewer, is_accepted=True, at=timezone.now())
    assert waiting_counts(reviewer, {campaign: frozenset({Role.EXPERT})}) == {}


def test_each_campaign_asks_for_a_majority_of_its_own_experts(campaign, dialogue, reviewer, tester):
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))
    Campaign.objects.filter(pk=campaign.pk).update(experts_per_dialogue=1)
    Campaign.objects.filter(pk=other.pk).update(experts_per_dialogue=3)
    there = open_chosen_dialogue(
        campaign=other, tester=tester, entry=other.entries.get(), scenario=other.scenarios.get(), at=timezone.now()
    )
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    for one in (dialogue, there):
        one.vettings.create(expert=tester, is_accepted=True, at=timezone.now())
    places = {one: frozenset({Role.EXPERT}) for one in Campaign.objects.all()}
    assert waiting_counts(reviewer, places) == {other.pk: 1}


def test_a_campaign_in_which_a_decision_waits_comes_first_in_the_list(campaign, dialogue, reviewer):
    newer, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"newer"')))
    CampaignRole.objects.all().delete()
    for one in (campaign, newer):
        one.roles.create(person=reviewer, role=Role.ADJUDICATOR)
    assert [row.campaign.slug for row in own_rows(reviewer)] == ["newer", "small"]
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    with translation.override("en"):
        first, second = own_rows(reviewer)
    assert (first.campaign.slug, first.first_to_do.title) == ("small", "Decide or vet")
    assert (second.campaign.slug, second.first_to_do) == ("newer", None)


def test_what_is_closed_is_said_once(campaign, dialogue, reviewer):
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    Campaign.objects.update(reviewed_by="panel", review_until=timezone.now() - timedelta(days=1))
    campaign.refresh_from_db()
    roles = frozenset({Role.REVIEWER, Role.ADJUDICATOR})
    with translation.override("en"):
        (step,) = steps_in(reviewer, campaign, roles, standing_of(campaign))
    assert (step.title, step.to_do) == ("Not open now", False)
