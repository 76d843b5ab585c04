"""Where a panel differs too much, an adjudicator decides or the mean stands; all raw scores stay."""

from datetime import timedelta

import pytest

from campaigns.models import Campaign, Role
from reviews.actions import NotReviewable, NotYours, save_draft, undo_submission
from reviews.actions.checking import part_of
from reviews.actions.placing import draw_review_places
from reviews.actions.tending import recount_by_policy, tend_reviewing
from reviews.desk import disputes_for, open_disputes
from reviews.models import Dispute, Review, ReviewChange, ReviewPlace
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def three(campaign, tester):
    """A dialogue with its panel of three, and an adjudicator; more than two points apart is a dispute."""
    people = panel(campaign, 3, adjudicated_over=2)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    return dialogue, people, person(campaign, "adjudicator", Role.ADJUDICATOR)


def give(dialogue, reviewer, satisfaction, **changed):
    return submit(dialogue, reviewer, ratings=SCORES | {"satisfaction": satisfaction}, **changed)


def counted():
    """Satisfaction of every record."""
    records = Review.objects.filter(is_counted=True, ratings__criterion__key="satisfaction")
    return sorted(records.values_list("ratings__score", flat=True))


def disagree(dialogue, people):
    for reviewer, score in zip(people, (-1, 2, 0), strict=True):
        give(dialogue, reviewer, score)


def test_panel_reviews_count_as_they_come_and_a_small_distance_is_no_dispute(three):
    dialogue, people, _ = three
    for number, (reviewer, score) in enumerate(zip(people, (0, 2, 1), strict=True), start=1):
        give(dialogue, reviewer, score)
        assert len(counted()) == number
    assert not Dispute.objects.exists()


def test_the_last_review_opens_the_dispute_and_nothing_counts_until_it_is_settled(three):
    dialogue, people, adjudicator = three
    give(dialogue, people[0], -1)
    give(dialogue, people[1], 2)
    assert not Dispute.objects.exists()
    give(dialogue, people[2], 0)
    dispute = Dispute.objects.get()
    assert (dispute.criteria, dispute.settled_at) == ({"satisfaction": 3}, None)
    assert counted() == []
    assert list(open_disputes([dialogue.assignment.campaign], adjudicator)) == [dispute]


def test_the_adjudicators_review_settles_it_and_counts_in_the_panels_place(three):
    dialogue, people, adjudicator = three
    disagree(dialogue, people)
    review = give(dialogue, adjudicator, 1)
    dispute = Dispute.objects.get()
    assert (review.part, dispute.settled_by, dispute.settled_at) == ("adjudication", review, NOON)
    assert counted() == [1]
    assert Review.objects.filter(is_submitted=True, part="panel").count() == 3
    assert not open_disputes([dialogue.assignment.campaign], adjudicator).exists()


def test_nobody_adjudicates_their_own_panel_or_without_a_dispute(three):
    dialogue, people, adjudicator = three
    with pytest.raises(NotYours):
        part_of(dialogue, adjudicator)
    person(dialogue.assignment.campaign, people[0].username, Role.ADJUDICATOR)
    disagree(dialogue, people)
    assert part_of(dialogue, people[0]) == "panel"
    dialogue.assignment.campaign.roles.filter(person=people[0], role=Role.REVIEWER).delete()
    with pytest.raises(NotYours):
        part_of(dialogue, people[0])
    assert not open_disputes([dialogue.assignment.campaign], people[0]).exists()


def test_what_one_adjudicator_settled_is_not_anothers(three):
    dialogue, people, adjudicator = three
    other = person(dialogue.assignment.campaign, "other-adjudicator", Role.ADJUDICATOR)
    disagree(dialogue, people)
    give(dialogue, adjudicator, 1)
    with pytest.raises(NotYours):
        give(dialogue, other, 2)


def test_without_an_adjudicator_the_mean_stands_and_the_dispute_is_recorded(three):
    dialogue, people, adjudicator = three
    adjudicator.campaign_roles.all().delete()
    disagree(dialogue, people)
    dispute = Dispute.objects.get()
    assert (dispute.settled_at, dispute.settled_by) == (NOON, None)
    assert counted() == [-1, 0, 2]


def test_an_adjudicator_who_scored_the_dialogue_is_none(three):
    dialogue, people, adjudicator = three
    adjudicator.campaign_roles.all().delete()
    person(dialogue.assignment.campaign, people[0].username, Role.ADJUDICATOR)
    disagree(dialogue, people)
    assert Dispute.objects.get().settled_at == NOON


def test_undoing_the_disagreement_closes_the_dispute(three):
    dialogue, people, _ = three
    disagree(dialogue, people)
    undo_submission(dialogue=dialogue, reviewer=people[0], version=1, at=NOON + MINUTE)
    assert not Dispute.objects.exists()
    assert counted() == [0, 2]
    give(dialogue, people[0], 1, based_on_version=2)
    assert not Dispute.objects.exists()
    assert counted() == [0, 1, 2]


def test_what_a_person_settled_stays_when_a_reviewer_undoes(three):
    dialogue, people, adjudicator = three
    disagree(dialogue, people)
    give(dialogue, adjudicator, 1)
    undo_submission(dialogue=dialogue, reviewer=people[0], version=1, at=NOON + MINUTE)
    assert Dispute.objects.get().settled_by is not None
    assert counted() == [1]


def test_an_undone_adjudication_opens_the_dispute_again(three):
    dialogue, people, adjudicator = three
    disagree(dialogue, people)
    give(dialogue, adjudicator, 1)
    undo_submission(dialogue=dialogue, reviewer=adjudicator, version=1, at=NOON + MINUTE)
    assert Dispute.objects.get().settled_at is None
    assert counted() == []
    give(dialogue, adjudicator, 2, based_on_version=2)
    assert counted() == [2]


def test_without_a_limit_nothing_is_a_dispute(three):
    dialogue, people, _ = three
    Campaign.objects.update(adjudicated_over=None)
    disagree(dialogue, people)
    assert not Dispute.objects.exists()
    assert counted() == [-1, 0, 2]


def test_another_policy_counts_all_anew(three):
    dialogue, people, _ = three
    campaign = dialogue.assignment.campaign
    disagree(dialogue, people)
    assert recount_by_policy(campaign=campaign, at=NOON)
    assert not recount_by_policy(campaign=campaign, at=NOON)
    for settings, records, n_notes in (
        ({"adjudicated_over": 3}, [-1, 0, 2], 1),
        ({"adjudicated_over": 2}, [], 1),
        ({"adjudicated_over": None, "counted_reviews": "self"}, [], 0),
        ({"counted_reviews": "both"}, [-1, 0, 2], 1),
        ({"experts_per_dialogue": 1}, [], 1),
    ):
        Campaign.objects.update(**settings)
        version = Campaign.objects.get().scores_version
        tend_reviewing(at=NOON)
        assert counted() == records
        assert Campaign.objects.get().scores_version == version + n_notes


def test_when_the_last_adjudicator_leaves_the_mean_stands(three):
    dialogue, people, adjudicator = three
    disagree(dialogue, people)
    tend_reviewing(at=NOON)
    assert counted() == []
    adjudicator.campaign_roles.all().delete()
    tend_reviewing(at=NOON + MINUTE)
    assert counted() == [-1, 0, 2]


def test_a_published_campaign_is_no_longer_undone_by_its_panel(three):
    dialogue, people, _ = three
    give(dialogue, people[0], 1)
    Campaign.objects.update(is_published=True)
    with pytest.raises(NotReviewable):
        undo_submission(dialogue=dialogue, reviewer=people[0], version=1, at=NOON + MINUTE)
    assert ReviewChange.objects.count() == 1


def test_who_let_a_place_go_adjudicates_without_coming_back_into_the_panel(three):
    dialogue, people, adjudicator = three
    person(dialogue.assignment.campaign, adjudicator.username, Role.REVIEWER)
    given_back = {"drawn_at": NOON, "opened_at": NOON, "released_at": NOON, "released_because": "cannot_judge"}
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=adjudicator, position=1, **given_back)
    disagree(dialogue, people)
    save_draft(dialogue=dialogue, reviewer=adjudicator, changes={"comment": "hm"}, based_on_version=0, at=NOON)
    assert part_of(dialogue, adjudicator) == "adjudication"
    review = give(dialogue, adjudicator, 1)
    assert (review.part, counted()) == ("adjudication", [1])
    undo_submission(dialogue=dialogue, reviewer=adjudicator, version=1, at=NOON + MINUTE)
    assert part_of(dialogue, adjudicator) == "adjudication"
    assert ReviewPlace.objects.held().count() == 3


def test_who_imported_a_dialogue_may_adjudicate_it_and_is_waited_for(campaign):
    importer = person(campaign, "importer", Role.ADJUDICATOR)
    people = panel(campaign, 3, adjudicated_over=2)
    (dialogue,) = closed_dialogues(campaign, importer, 1, origin="imported", external_id="d1")
    draw_review_places(campaign=campaign, at=NOON)
    disagree(dialogue, people)
    dispute = Dispute.objects.get()
    assert dispute.settled_at is None
    assert list(open_disputes([dialogue.assignment.campaign], importer)) == [dispute]
    assert part_of(dialogue, importer) == "adjudication"
    give(dialogue, importer, 1)
    assert counted() == [1]


def test_a_sole_adjudicator_who_talked_in_it_is_not_waited_for(campaign):
    talker = person(campaign, "talker", Role.ADJUDICATOR)
    people = panel(campaign, 3, adjudicated_over=2)
    (dialogue,) = closed_dialogues(campaign, talker, 1)
    draw_review_places(campaign=campaign, at=NOON)
    disagree(dialogue, people)
    assert Dispute.objects.get().settled_at == NOON
    assert not disputes_for([campaign], talker).exists()
