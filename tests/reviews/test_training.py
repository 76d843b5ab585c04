"""Gold dialogues: a reviewer passes them before the queue opens, meets more of them later, and they count nowhere."""

from datetime import timedelta

import pytest

from campaigns.models import Campaign, Role
from reviews.actions import BadReview, NotReviewable, NotYours, undo_submission
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.submitting import add_remark
from reviews.desk import queue_of
from reviews.models import GoldReview, Review, ReviewPlace
from reviews.training import gold_tries, training_of
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

GOLD = {"ratings": SCORES, "verdicts": {}, "evidence": {}, "comment": ""}
WRONG = {"satisfaction": 0, "fluency": 1, "guidance": 1}


def make_gold(dialogues, organizer, **changed):
    for dialogue in dialogues:
        set_gold(dialogue=dialogue, organizer=organizer, at=NOON, **{"content": GOLD} | changed)


@pytest.fixture
def trained(campaign, tester, organizer):
    """Two gold dialogues, half of whose scores open the queue of four others, one reviewer."""
    (reviewer,) = panel(campaign, 1, training_pass_percent=50)
    dialogues = closed_dialogues(campaign, tester, 6)
    make_gold(dialogues[:2], organizer)
    return reviewer, {dialogue.pk for dialogue in dialogues[:2]}


def take(campaign, reviewer, **changed):
    """Scores the next dialogue; gives it."""
    dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    if dialogue is not None:
        submit(dialogue, reviewer, **changed)
    return dialogue


def test_only_gold_comes_until_it_is_passed_and_then_the_queue_opens(campaign, trained):
    reviewer, gold = trained
    draw_review_places(campaign=campaign, at=NOON)
    assert {place.dialogue_id for place in ReviewPlace.objects.all()} == gold
    first, second = take(campaign, reviewer), take(campaign, reviewer)
    assert {first.pk, second.pk} == gold
    assert training_of(campaign, reviewer).has_passed
    later = [take(campaign, reviewer) for _ in range(4)]
    assert gold.isdisjoint(dialogue.pk for dialogue in later)
    assert take(campaign, reviewer) is None


def test_scores_of_gold_count_nowhere(campaign, trained):
    reviewer, _ = trained
    take(campaign, reviewer)
    review = Review.objects.get()
    assert (review.part, review.is_submitted, review.is_counted) == ("gold", True, False)
    assert not Review.objects.filter(is_counted=True).exists()


def test_who_fails_gets_nothing_else(campaign, trained):
    """Of the six gold scores two are given exactly: a third, and half is needed."""
    reviewer, _ = trained
    for _ in range(2):
        take(campaign, reviewer, ratings=WRONG)
    assert take(campaign, reviewer) is None
    training = queue_of(campaign, reviewer, NOON)["training"]
    assert training == {"done": 2, "total": 2, "passed": False}


def test_exactly_the_share_that_is_asked_for_passes(campaign, trained):
    """One gold dialogue wholly right, one of three scores of the other: four of six, which is 66.67%."""
    reviewer, _ = trained
    Campaign.objects.update(training_pass_percent=66)
    campaign.refresh_from_db()
    take(campaign, reviewer)
    take(campaign, reviewer, ratings=WRONG)
    assert training_of(campaign, reviewer).has_passed
    campaign.training_pass_percent = 67
    assert not training_of(campaign, reviewer).has_passed


def test_gold_that_is_added_later_closes_no_queue_that_was_begun(campaign, trained, organizer):
    reviewer, _ = trained
    for _ in range(3):
        take(campaign, reviewer)
    untouched = ReviewPlace.objects.not_begun().first().dialogue
    make_gold([untouched], organizer)
    draw_review_places(campaign=campaign, at=NOON)
    assert training_of(campaign, reviewer).has_passed
    assert ReviewPlace.objects.get(dialogue=untouched).is_gold
    assert ReviewPlace.objects.to_do().count() == 3


def test_the_queue_does_not_tell_gold_from_the_rest(campaign, tester, organizer):
    (reviewer,) = panel(campaign, 1, gold_every=3)
    dialogues = closed_dialogues(campaign, tester, 14)
    make_gold(dialogues[:6], organizer, is_for_training=False)
    draw_review_places(campaign=campaign, at=NOON)
    # Eight dialogues of the panel, and one gold within each three of them that are whole.
    assert ReviewPlace.objects.filter(is_gold=True).count() == 2
    queue = queue_of(campaign, reviewer, NOON)
    assert queue["training"] is None
    assert len(queue["places"]) == 10
    assert len({tuple(place) for place in queue["places"]}) == 1
    gold = set(ReviewPlace.objects.filter(is_gold=True).values_list("dialogue", flat=True))
    order = [place["dialogue"] in {str(pk) for pk in gold} for place in queue["places"]]
    assert sum(order[:4]) == 1
    assert "gold" not in str(queue)


def test_gold_that_was_taken_before_is_not_given_again(campaign, tester, organizer):
    (reviewer,) = panel(campaign, 1, gold_every=2)
    dialogues = closed_dialogues(campaign, tester, 5)
    make_gold(dialogues[:1], organizer, is_for_training=False)
    draw_review_places(campaign=campaign, at=NOON)
    closed_dialogues(campaign, tester, 4, first=3000)
    draw_review_places(campaign=campaign, at=NOON)
    assert ReviewPlace.objects.filter(is_gold=True, reviewer=reviewer).count() == 1


def test_who_set_gold_or_talked_it_is_not_measured_by_it(campaign, trained, organizer, tester):
    for somebody in (organizer, tester):
        person(campaign, somebody.username, Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON)
    assert not ReviewPlace.objects.filter(reviewer__in=[organizer, tester], is_gold=True).exists()


def test_gold_is_the_adjudicators_scores_where_none_are_given(campaign, tester, organizer):
    one, two = panel(campaign, 2, adjudicated_over=1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    with pytest.raises(NotReviewable):
        set_gold(dialogue=dialogue, organizer=organizer, at=NOON)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, one)
    submit(dialogue, two, ratings=WRONG)
    decided = SCORES | {"satisfaction": 1}
    submit(dialogue, adjudicator, ratings=decided)
    gold = set_gold(dialogue=dialogue, organizer=organizer, at=NOON)
    assert (gold.content["ratings"], gold.set_by) == (decided, organizer)
    assert Review.objects.get(is_counted=True).reviewer == adjudicator


def test_who_scored_a_dialogue_in_its_panel_is_not_given_it_as_gold(campaign, tester, organizer):
    one, two = panel(campaign, 2, gold_every=1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    third = person(campaign, "third", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON)
    drawn = [who for who in (one, two, third) if ReviewPlace.objects.filter(reviewer=who).exists()]
    for who in drawn:
        submit(dialogue, who)
    make_gold([dialogue], organizer, is_for_training=False)
    closed_dialogues(campaign, tester, 3, first=2000)
    draw_review_places(campaign=campaign, at=NOON)
    (newcomer,) = {one, two, third} - set(drawn)
    assert ReviewPlace.objects.filter(is_gold=True).get().reviewer == newcomer
    assert ReviewPlace.objects.filter(dialogue=dialogue, is_gold=False, done_at=NOON).count() == 2
    assert Review.objects.filter(dialogue=dialogue, is_counted=True).count() == 2


def test_gold_that_somebody_cannot_judge_is_not_asked_of_them(campaign, trained):
    reviewer, _ = trained
    dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    add_remark(dialogue=dialogue, reviewer=reviewer, kind="cannot_judge", text="", at=NOON)
    assert training_of(campaign, reviewer).n_total == 1
    take(campaign, reviewer)
    assert training_of(campaign, reviewer).has_passed
    assert take(campaign, reviewer) is not None


def test_who_can_judge_none_of_the_gold_has_not_passed(campaign, trained):
    reviewer, _ = trained
    for _ in range(2):
        dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
        add_remark(dialogue=dialogue, reviewer=reviewer, kind="cannot_judge", text="", at=NOON)
    assert take(campaign, reviewer) is None
    assert queue_of(campaign, reviewer, NOON)["training"] == {"done": 0, "total": 0, "passed": False}


def test_only_an_organizer_sets_gold_and_only_complete_scores_of_a_closed_dialogue(
    campaign, tester, organizer, reviewer
):
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    with pytest.raises(NotYours):
        set_gold(dialogue=dialogue, organizer=reviewer, content=GOLD, at=NOON)
    with pytest.raises(BadReview):
        set_gold(dialogue=dialogue, organizer=organizer, content={"ratings": {"fluency": 9}}, at=NOON)
    (void,) = closed_dialogues(campaign, tester, 1, first=2000, status="void")
    with pytest.raises(NotReviewable):
        set_gold(dialogue=void, organizer=organizer, content=GOLD, at=NOON)
    assert not GoldReview.objects.exists()


def test_tries_tell_over_time_how_far_each_reviewer_is_from_gold(campaign, trained):
    reviewer, _ = trained
    take(campaign, reviewer, ratings=WRONG, at=NOON + timedelta(hours=1))
    take(campaign, reviewer, at=NOON + timedelta(hours=2))
    first, second = gold_tries(campaign)
    assert (first.reviewer_id, first.n_exact, first.n_scores) == (reviewer.pk, 1, 3)
    assert first.differences == {"satisfaction": -2, "fluency": 2, "guidance": 0}
    assert (second.n_exact, second.at - first.at) == (3, timedelta(hours=1))
    assert (gold_tries(campaign, [reviewer.pk]), gold_tries(campaign, [])) == ([first, second], [])


def test_an_undone_try_is_none(campaign, trained):
    reviewer, _ = trained
    dialogue = take(campaign, reviewer)
    undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=NOON + timedelta(minutes=9))
    assert gold_tries(campaign) == []
    assert training_of(campaign, reviewer).n_done == 0


def test_who_adjudicated_a_dialogue_is_neither_given_it_as_gold_nor_trained_by_it(campaign, tester, organizer):
    one, two = panel(campaign, 2, adjudicated_over=1, training_pass_percent=50)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, one)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    submit(dialogue, two, ratings=WRONG)
    submit(dialogue, adjudicator)
    set_gold(dialogue=dialogue, organizer=organizer, at=NOON)
    person(campaign, "adjudicator", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON)
    assert not ReviewPlace.objects.filter(reviewer=adjudicator).exists()
    assert training_of(campaign, adjudicator).has_passed


def test_who_adjudicated_a_dialogue_is_not_drawn_into_its_panel(campaign, tester):
    one, two = panel(campaign, 2, adjudicated_over=1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    submit(dialogue, one)
    submit(dialogue, two, ratings=WRONG)
    submit(dialogue, adjudicator)
    person(campaign, "adjudicator", Role.REVIEWER)
    campaign.reviewers_per_dialogue = 3
    campaign.save()
    draw_review_places(campaign=campaign, at=NOON)
    assert not ReviewPlace.objects.filter(reviewer=adjudicator).exists()


def test_who_imported_a_dialogue_is_measured_by_it_as_gold(campaign, organizer):
    importer = person(campaign, "importer", Role.REVIEWER)
    panel(campaign, 1, training_pass_percent=50)
    (imported,) = closed_dialogues(campaign, importer, 1, origin="imported", external_id="d1")
    (talked,) = closed_dialogues(campaign, importer, 1, first=2000)
    for dialogue in (imported, talked):
        set_gold(dialogue=dialogue, organizer=organizer, content={"ratings": SCORES}, at=NOON)
    draw_review_places(campaign=campaign, at=NOON)
    assert [place.dialogue for place in importer.review_places.all()] == [imported]
    assert training_of(campaign, importer).n_total == 1
