from collections import Counter

import pytest

from campaigns.models import Role
from reviews.actions import BadReview, NotReviewable, NotYours
from reviews.actions.placing import draw_review_places, next_place
from reviews.actions.submitting import add_remark
from reviews.models import Remark, ReviewPlace
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def given(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    return dialogue, reviewer


def remark(dialogue, reviewer, kind="leaked", text="它自报家门"):
    return add_remark(dialogue=dialogue, reviewer=reviewer, kind=kind, text=text, at=NOON)


def test_a_maker_that_shows_is_noted_and_the_dialogue_is_still_scored(given):
    dialogue, reviewer = given
    remark(dialogue, reviewer)
    remark(dialogue, reviewer, text="第 3 轮")
    assert [(one.kind, one.text) for one in Remark.objects.all()] == [("leaked", "第 3 轮")]
    assert submit(dialogue, reviewer).is_submitted


def test_who_cannot_judge_gives_the_place_back_and_another_gets_it(given, campaign):
    dialogue, reviewer = given
    remark(dialogue, reviewer, "cannot_judge")
    assert ReviewPlace.objects.get().released_because == "cannot_judge"
    with pytest.raises(NotYours):
        submit(dialogue, reviewer)
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    other = person(campaign, "other", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON)
    assert Counter(ReviewPlace.objects.held().values_list("reviewer", flat=True)) == {other.pk: 1}
    assert next_place(campaign, reviewer) is None


def test_what_was_handed_in_was_judged(given):
    dialogue, reviewer = given
    submit(dialogue, reviewer)
    with pytest.raises(NotReviewable):
        remark(dialogue, reviewer, "cannot_judge")
    assert not Remark.objects.exists()


def test_a_tester_may_say_that_the_maker_shows_and_must_judge(closed, tester):
    assert remark(closed, tester).kind == "leaked"
    with pytest.raises(NotReviewable):
        remark(closed, tester, "cannot_judge")


def test_bad_remarks_and_strangers(given, organizer):
    dialogue, reviewer = given
    with pytest.raises(BadReview) as bad:
        remark(dialogue, reviewer, "boring", "x" * 5000)
    assert set(bad.value.fields) == {"kind", "text"}
    with pytest.raises(NotYours):
        remark(dialogue, organizer)
