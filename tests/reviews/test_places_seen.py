"""What a plan of places is made of is compared dialogue by dialogue: whatever decides about a place makes a difference."""

from datetime import timedelta

import pytest

from dialogues.models import Dialogue
from reviews.actions.closing import close_panel
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.submitting import add_remark
from reviews.models import GoldReview, ReviewPlace
from reviews.places_plan import PlacesSeen
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db


def opened(campaign, dialogue, people):
    open_next_place(campaign=campaign, reviewer=people[0], at=NOON)


def prolonged(campaign, dialogue, people):
    ReviewPlace.objects.filter(dialogue=dialogue).update(expires_at=NOON + timedelta(hours=2))


def handed_in(campaign, dialogue, people):
    submit(dialogue, people[0])


def given_back(campaign, dialogue, people):
    add_remark(dialogue=dialogue, reviewer=people[1], kind="cannot_judge", text="", at=NOON)


def closed(campaign, dialogue, people):
    submit(dialogue, people[0])
    add_remark(dialogue=dialogue, reviewer=people[1], kind="cannot_judge", text="", at=NOON)


def void(campaign, dialogue, people):
    Dialogue.objects.filter(pk=dialogue.pk).update(status="void")


def gold(campaign, dialogue, people):
    GoldReview.objects.create(dialogue=dialogue, content={"ratings": {}}, set_by=people[0], set_at=NOON)


@pytest.mark.parametrize("change", [opened, prolonged, handed_in, given_back, closed, void, gold])
def test_whatever_decides_about_a_place_is_seen(campaign, tester, change):
    people = panel(campaign, 2)
    one, other = closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=NOON)
    # The queue of the first reviewer begins with the dialogue that is to change.
    ReviewPlace.objects.filter(dialogue=one).update(position=1)
    ReviewPlace.objects.filter(dialogue=other).update(position=2)
    before, both = PlacesSeen(campaign), {one.pk, other.pk}
    assert before.unchanged(PlacesSeen(campaign, both), both) == both
    change(campaign, one, people)
    assert before.unchanged(PlacesSeen(campaign, both), both) == {other.pk}


def test_a_panel_that_is_closed_and_an_order_that_changed_are_told_apart(campaign, tester):
    people = panel(campaign, 2)
    (one,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    closed(campaign, one, people)
    before = PlacesSeen(campaign)
    ReviewPlace.objects.update(position=7)
    assert before.unchanged(PlacesSeen(campaign, [one.pk]), [one.pk]) == {one.pk}
    organizer = campaign.roles.get(role="organizer").person
    close_panel(dialogue=one, organizer=organizer, because="ill", at=NOON)
    assert before.unchanged(PlacesSeen(campaign, [one.pk]), [one.pk]) == set()
