"""A panel that nobody can fill is closed by an organizer: its reviews count as they are, and their disputes too."""

from datetime import timedelta

import pytest
from django.utils import translation

from campaigns.models import Role
from reviews.actions import BadReview, NotReviewable, NotYours, save_draft, undo_submission
from reviews.actions.checking import part_of
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark
from reviews.actions.tending import tend_reviewing
from reviews.desk import queue_of
from reviews.models import ClosedPanel, Dispute, Review, ReviewPlace
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


HOUR = timedelta(hours=1)
WHY = "One reviewer fell ill; nobody else speaks the dialect."


@pytest.fixture
def short(campaign, tester):
    """A dialogue whose panel of three has two, who differ by three points; the third cannot judge it, nobody is left."""
    people = panel(campaign, 3, adjudicated_over=2)
    person(campaign, "organizer", Role.ORGANIZER)
    person(campaign, "adjudicator", Role.ADJUDICATOR)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0], ratings=SCORES | {"satisfaction": -1})
    submit(dialogue, people[1], ratings=SCORES | {"satisfaction": 2})
    add_remark(dialogue=dialogue, reviewer=people[2], kind="cannot_judge", text="", at=NOON)
    draw_review_places(campaign=campaign, at=NOON)
    return dialogue, people


def organizer_of(dialogue):
    return person(dialogue.assignment.campaign, "organizer")


def close(dialogue, *, because=WHY, at=NOON, organizer=None):
    return close_panel(dialogue=dialogue, organizer=organizer or organizer_of(dialogue), because=because, at=at)


def reopen(dialogue, at=NOON):
    return reopen_panel(dialogue=dialogue, organizer=organizer_of(dialogue), at=at)


def n_counted():
    return Review.objects.filter(is_counted=True).count()


def test_a_panel_that_lacks_a_review_has_no_dispute_until_it_is_closed(short):
    dialogue, _ = short
    assert (Dispute.objects.exists(), n_counted()) == (False, 2)
    closed = close(dialogue)
    assert (closed.n_reviews, closed.because, closed.closed_by.username) == (2, WHY, "organizer")
    assert Dispute.objects.get().criteria == {"satisfaction": 3}
    assert n_counted() == 0


def test_the_adjudicator_decides_on_a_closed_panel(short):
    dialogue, _ = short
    close(dialogue)
    decision = submit(dialogue, person(dialogue.assignment.campaign, "adjudicator"))
    assert (decision.part, list(Review.objects.filter(is_counted=True))) == ("adjudication", [decision])


def test_reopened_it_waits_again_and_a_new_reviewer_is_drawn(short):
    dialogue, _ = short
    campaign = dialogue.assignment.campaign
    close(dialogue)
    person(campaign, "newcomer", Role.REVIEWER)
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    ended = reopen(dialogue, NOON + HOUR)
    assert (ended.reopened_by.username, ended.reopened_at) == ("organizer", NOON + HOUR)
    assert (Dispute.objects.exists(), n_counted()) == (False, 2)
    assert draw_review_places(campaign=campaign, at=NOON + HOUR) == 1


def test_the_chore_hears_that_a_panel_was_reopened(short):
    dialogue, _ = short
    campaign = dialogue.assignment.campaign
    close(dialogue)
    person(campaign, "newcomer", Role.REVIEWER)
    seen = {}
    assert tend_reviewing(at=NOON, seen=seen) == 0
    reopen(dialogue)
    assert tend_reviewing(at=NOON, seen=seen) == 1


def test_closing_and_reopening_leave_a_row_each_time(short):
    dialogue, _ = short
    close(dialogue)
    reopen(dialogue)
    close(dialogue, because="Still nobody.")
    assert [row.because for row in ClosedPanel.objects.all()] == [WHY, "Still nobody."]
    assert ClosedPanel.objects.in_force().count() == 1


def test_a_panel_for_which_the_next_drawing_finds_somebody_is_not_closed(short, campaign):
    dialogue, _ = short
    person(campaign, "newcomer", Role.REVIEWER)
    with pytest.raises(NotReviewable, match="finds somebody"):
        close(dialogue)


def test_what_a_person_decided_outlives_the_reopening(short):
    dialogue, _ = short
    close(dialogue)
    decision = submit(dialogue, person(dialogue.assignment.campaign, "adjudicator"))
    reopen(dialogue)
    assert list(Review.objects.filter(is_counted=True)) == [decision]


def test_only_an_organizer_closes_and_only_with_a_reason(short):
    dialogue, people = short
    with pytest.raises(NotYours):
        close(dialogue, organizer=people[0])
    with pytest.raises(BadReview):
        close(dialogue, because="  ")
    close(dialogue)
    with pytest.raises(NotYours):
        reopen_panel(dialogue=dialogue, organizer=people[0], at=NOON)
    with pytest.raises(NotReviewable, match="is closed"):
        close(dialogue)
    reopen(dialogue)
    with pytest.raises(NotReviewable, match="not closed"):
        reopen(dialogue)


def test_nothing_is_closed_that_is_whole_empty_gold_or_at_work(campaign, tester):
    people = panel(campaign, 2)
    organizer = person(campaign, "organizer", Role.ORGANIZER)
    whole, empty, gold, begun = closed_dialogues(campaign, tester, 4)
    draw_review_places(campaign=campaign, at=NOON)
    for dialogue in (whole, begun):
        submit(dialogue, people[0])
    submit(whole, people[1])
    set_gold(dialogue=gold, organizer=organizer, content={"ratings": SCORES}, at=NOON)
    for dialogue, why in ((whole, "all its reviews"), (empty, "Nobody"), (gold, "No panel"), (begun, "reviewer-2")):
        with pytest.raises(NotReviewable, match=why):
            close(dialogue)


def test_whoever_ran_out_of_time_keeps_the_draft_but_has_the_place_no_more(campaign, tester):
    people = panel(campaign, 2)
    person(campaign, "organizer", Role.ORGANIZER)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    save_draft(dialogue=dialogue, reviewer=people[1], changes={"ratings": {"fluency": 1}}, based_on_version=0, at=NOON)
    with pytest.raises(NotReviewable, match="reviewer-2"):
        close(dialogue, at=NOON + timedelta(minutes=1))
    later = NOON + timedelta(minutes=campaign.reservation_min)
    close(dialogue, at=later)
    with pytest.raises(NotYours):
        part_of(dialogue, people[1])
    assert queue_of(campaign, people[1], later)["places"] == []
    assert Review.objects.get(reviewer=people[1]).draft["ratings"] == {"fluency": 1}
    reopen(dialogue, later)
    draw_review_places(campaign=campaign, at=later)
    assert part_of(dialogue, people[1]) == "panel"


def test_nobody_comes_back_to_a_closed_panel_for_time_that_ran_out_before(campaign, tester):
    people = panel(campaign, 2)
    person(campaign, "organizer", Role.ORGANIZER)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    ReviewPlace.objects.filter(reviewer=people[1]).update(released_at=NOON, released_because="expired", opened_at=NOON)
    assert part_of(dialogue, people[1]) == "panel"
    close(dialogue)
    with pytest.raises(NotYours):
        part_of(dialogue, people[1])


def test_a_hand_in_that_is_undone_in_a_closed_panel_can_be_made_again(short):
    dialogue, people = short
    campaign = dialogue.assignment.campaign
    close(dialogue)
    undo_submission(dialogue=dialogue, reviewer=people[0], version=1, at=NOON)
    person(campaign, "newcomer", Role.REVIEWER)
    assert tend_reviewing(at=NOON + 24 * HOUR) == 0
    assert not Dispute.objects.exists()
    submit(dialogue, people[0], ratings=SCORES | {"satisfaction": -2}, based_on_version=2)
    assert Dispute.objects.get().criteria == {"satisfaction": 4}
