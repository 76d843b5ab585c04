from collections import Counter
from contextlib import suppress
from datetime import timedelta
from itertools import count
from types import SimpleNamespace

import pytest
from django.db import connection

from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews import panel_drawing as queue_positions
from reviews.actions import NotYours, placing, save_draft
from reviews.actions.checking import part_of
from reviews.actions.closing import close_panel
from reviews.actions.placing import draw_review_places, next_place, open_next_place
from reviews.actions.submitting import add_remark
from reviews.models import GoldReview, Review, ReviewPlace
from reviews.places_plan import PlacesSeen
from tests.reviews.conftest import NOON, closed_dialogue, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def draw(campaign, at=NOON):
    return draw_review_places(campaign=campaign, at=at)


def held():
    return Counter(ReviewPlace.objects.held().values_list("dialogue", flat=True))


def loads():
    return Counter(ReviewPlace.objects.held().values_list("reviewer__username", flat=True))


def test_every_finished_dialogue_gets_its_panel_and_everybody_as_much(campaign, tester):
    panel(campaign, 3)
    person(campaign, "reviewer-4", Role.REVIEWER)
    dialogues = closed_dialogues(campaign, tester, 8)
    closed_dialogue(campaign, tester, repetition=50, status="void")
    assert draw(campaign) == 24
    assert held() == {dialogue.pk: 3 for dialogue in dialogues}
    assert set(loads().values()) == {6}


def test_drawing_again_changes_nothing_and_new_dialogues_are_added(campaign, tester):
    panel(campaign, 2)
    closed_dialogues(campaign, tester, 3)
    draw(campaign)
    before = list(ReviewPlace.objects.order_by("pk").values())
    assert draw(campaign, NOON + HOUR) == 0
    assert list(ReviewPlace.objects.order_by("pk").values()) == before
    closed_dialogues(campaign, tester, 2, first=2000)
    assert draw(campaign, NOON + HOUR) == 4
    assert set(held().values()) == {2}


def test_a_tester_is_never_in_the_panel_of_their_own_dialogue(campaign, tester):
    panel(campaign, 2)
    campaign.roles.create(person=tester, role=Role.REVIEWER)
    (own,) = closed_dialogues(campaign, tester, 1)
    other = closed_dialogue(campaign, person(campaign, "tester-2", Role.TESTER))
    draw(campaign)
    assert held() == {own.pk: 2, other.pk: 2}
    assert not ReviewPlace.objects.filter(dialogue=own, reviewer=tester).exists()
    with pytest.raises(NotYours):
        part_of(own, tester)


def test_nobody_draws_for_a_campaign_whose_testers_score(campaign, tester):
    panel(campaign, 2, reviewed_by="self")
    closed_dialogues(campaign, tester, 1)
    assert draw(campaign) == 0


def test_the_order_is_each_reviewers_own(campaign, tester):
    people = panel(campaign, 2)
    closed_dialogues(campaign, tester, 12)
    draw(campaign)
    orders = [list(ReviewPlace.objects.filter(reviewer=one).values_list("dialogue", flat=True)) for one in people]
    assert set(orders[0]) == set(orders[1])
    assert orders[0] != orders[1]
    positions = list(ReviewPlace.objects.filter(reviewer=people[0]).values_list("position", flat=True))
    assert positions == list(range(1, 13))


def test_the_next_one_is_reserved_and_comes_again_until_it_is_handed_in(campaign, tester):
    (one, *_) = panel(campaign, 1, reservation_min=30)
    closed_dialogues(campaign, tester, 2)
    first = open_next_place(campaign=campaign, reviewer=one, at=NOON)
    place = ReviewPlace.objects.get(dialogue=first)
    assert (place.opened_at, place.expires_at) == (NOON, NOON + HOUR / 2)
    assert open_next_place(campaign=campaign, reviewer=one, at=NOON) == first
    submit(first, one)
    second = open_next_place(campaign=campaign, reviewer=one, at=NOON)
    assert second != first
    submit(second, one)
    assert open_next_place(campaign=campaign, reviewer=one, at=NOON) is None


def test_a_choice_prolongs_the_reservation(campaign, tester):
    (one,) = panel(campaign, 1, reservation_min=30)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw(campaign)
    choose(dialogue, one, at=NOON)
    choose(dialogue, one, at=NOON + HOUR)
    place = ReviewPlace.objects.get()
    assert (place.opened_at, place.expires_at) == (NOON, NOON + HOUR * 1.5)


def choose(dialogue, reviewer, at, score=1):
    changes = {"ratings": {"satisfaction": score}}
    return save_draft(dialogue=dialogue, reviewer=reviewer, changes=changes, based_on_version=0, at=at)


@pytest.fixture
def left_alone(campaign, tester):
    """The reviewer began a dialogue and went away; a second reviewer could have it."""
    (one,) = panel(campaign, 1, reservation_min=30)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw(campaign)
    choose(dialogue, one, at=NOON)
    other = person(campaign, "other", Role.REVIEWER)
    return dialogue, one, other


def test_what_ran_out_goes_to_somebody_else_and_the_draft_stays(campaign, left_alone):
    dialogue, one, other = left_alone
    assert draw(campaign, NOON + HOUR / 4) == 0
    assert draw(campaign, NOON + HOUR) == 1
    assert held() == {dialogue.pk: 1}
    assert next_place(campaign, other).dialogue == dialogue
    assert ReviewPlace.objects.get(reviewer=one).released_because == "expired"
    assert Review.objects.get(reviewer=one).draft["ratings"] == {"satisfaction": 1}


def test_whoever_comes_back_before_somebody_else_began_has_it_again(campaign, left_alone):
    dialogue, one, other = left_alone
    draw(campaign, NOON + HOUR)
    submit(dialogue, one, at=NOON + 2 * HOUR)
    assert held() == {dialogue.pk: 1}
    assert ReviewPlace.objects.get().done_at == NOON + 2 * HOUR
    with pytest.raises(NotYours):
        part_of(dialogue, other)


def test_whoever_comes_back_too_late_finds_it_taken(campaign, left_alone):
    dialogue, one, other = left_alone
    draw(campaign, NOON + HOUR)
    open_next_place(campaign=campaign, reviewer=other, at=NOON + HOUR)
    with pytest.raises(NotYours):
        submit(dialogue, one, at=NOON + 2 * HOUR)
    submit(dialogue, other, at=NOON + 2 * HOUR)
    assert Review.objects.filter(is_counted=True).count() == 1


def test_what_ran_out_stays_where_nobody_else_could_have_it(campaign, tester):
    (one,) = panel(campaign, 1, reservation_min=30)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    open_next_place(campaign=campaign, reviewer=one, at=NOON)
    assert draw(campaign, NOON + HOUR) == 0
    submit(dialogue, one, at=NOON + HOUR)


def test_who_loses_the_role_keeps_what_is_done_and_the_rest_goes_to_the_others(campaign, tester):
    one, two = panel(campaign, 2)
    third = person(campaign, "third", Role.REVIEWER)
    closed_dialogues(campaign, tester, 6)
    draw(campaign)
    done = open_next_place(campaign=campaign, reviewer=one, at=NOON)
    submit(done, one)
    begun = open_next_place(campaign=campaign, reviewer=one, at=NOON)
    campaign.roles.filter(person=one).delete()
    draw(campaign, NOON)
    own = ReviewPlace.objects.filter(reviewer=one)
    assert [place.dialogue for place in own.held()] == [done]
    assert own.get(dialogue=begun).released_because == "no_reviewer"
    assert set(held().values()) == {2}
    assert loads() == {one.username: 1, two.username: 5, third.username: 6} or loads() == {
        one.username: 1, two.username: 6, third.username: 5,
    }  # fmt: skip


def test_a_newcomer_takes_over_what_nobody_has_begun(campaign, tester):
    one, two = panel(campaign, 2)
    closed_dialogues(campaign, tester, 6)
    draw(campaign)
    submit(open_next_place(campaign=campaign, reviewer=one, at=NOON), one)
    third = person(campaign, "third", Role.REVIEWER)
    draw(campaign)
    assert loads() == {one.username: 4, two.username: 4, third.username: 4}
    assert ReviewPlace.objects.filter(reviewer=one, done_at=NOON).exists()


def test_a_smaller_panel_gives_back_what_is_not_begun(campaign, tester):
    panel(campaign, 3)
    closed_dialogues(campaign, tester, 2)
    draw(campaign)
    Campaign.objects.update(reviewers_per_dialogue=1)
    campaign.refresh_from_db()
    draw(campaign)
    assert set(held().values()) == {1}


def test_a_dialogue_that_no_longer_counts_is_nobodys(campaign, tester):
    (one,) = panel(campaign, 1)
    closed_dialogues(campaign, tester, 1)
    open_next_place(campaign=campaign, reviewer=one, at=NOON)
    Dialogue.objects.update(status="returned")
    assert open_next_place(campaign=campaign, reviewer=one, at=NOON) is None
    draw(campaign)
    assert ReviewPlace.objects.get().released_because == "not_reviewed"


def test_a_long_queue_is_not_written_anew_for_one_dialogue_more(campaign, tester, monkeypatch):
    monkeypatch.setattr(queue_positions, "SHORT_QUEUE", 5)
    panel(campaign, 1)
    closed_dialogues(campaign, tester, 30)
    draw(campaign)
    before = dict(ReviewPlace.objects.values_list("pk", "position"))
    closed_dialogue(campaign, tester, repetition=5000)
    draw(campaign)
    after = dict(ReviewPlace.objects.values_list("pk", "position"))
    assert {pk: after[pk] for pk in before} == before
    (new,) = after.keys() - before.keys()
    assert after[new] in before.values()


def test_a_reservation_that_is_prolonged_at_the_moment_of_a_drawing_stays(campaign, left_alone, monkeypatch):
    dialogue, one, _other = left_alone
    plan = placing.places_plan

    def plan_and_prolong(*asked):
        made = plan(*asked)
        choose(dialogue, one, NOON + HOUR, score=2)
        return made

    monkeypatch.setattr(placing, "places_plan", plan_and_prolong)
    draw(campaign, NOON + HOUR)
    place = ReviewPlace.objects.get()
    assert (place.reviewer, place.released_at, place.expires_at) == (one, None, NOON + HOUR * 1.5)


class Transactions:
    """What each outermost transaction of the drawing does: statements, rows written, ids asked for at most."""

    def __init__(self):
        self.all, self.depth = [], 0

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("SAVEPOINT"):
            self.depth += 1
            if self.depth == 1:
                self.all.append(SimpleNamespace(n_statements=0, n_written=0, most_ids=0))
        result = execute(sql, params, many, context)
        if self.depth:
            one = self.all[-1]
            one.n_statements += 1
            if sql.startswith(("INSERT", "UPDATE", "DELETE")):
                one.n_written += context["cursor"].rowcount
            elif sql.startswith("SELECT"):
                one.most_ids = max(one.most_ids, len(params or ()))
                assert " IN (" in sql or "reviewplace" not in sql, f"reads all places of the campaign: {sql}"
        if sql.startswith("RELEASE"):
            self.depth -= 1
        return result


def test_a_transaction_of_a_drawing_is_as_long_in_a_large_campaign_as_in_a_small_one(campaign, tester, monkeypatch):
    """The writer of SQLite is held for a piece, and not for the whole campaign, however much is to be drawn."""
    monkeypatch.setattr(placing, "DIALOGUES_AT_ONCE", 4)
    monkeypatch.setattr(placing, "ROWS_AT_ONCE", 5)
    panel(campaign, 2)
    person(campaign, "reviewer-3", Role.REVIEWER)
    longest = []
    for first, n in ((1000, 8), (2000, 40)):
        closed_dialogues(campaign, tester, n, first=first)
        transactions = Transactions()
        with connection.execute_wrapper(transactions):
            assert draw(campaign) == 2 * n
        longest.append(max(one.n_statements for one in transactions.all))
        assert len(transactions.all) >= n // 4
        assert max(one.n_written for one in transactions.all) <= 4 * 2
        assert max(one.most_ids for one in transactions.all) <= 4 * 2 + 4
    assert longest[1] <= longest[0] + 1
    assert set(held().values()) == {2}
    # Somebody new: all that is not begun is drawn anew, in pieces, too.
    person(campaign, "reviewer-4", Role.REVIEWER)
    transactions = Transactions()
    with connection.execute_wrapper(transactions):
        draw(campaign)
    assert max(one.n_written for one in transactions.all) <= 4 * 2 * 2
    assert set(held().values()) == {2}
    assert max(loads().values()) - min(loads().values()) <= 1


def dying_in(number):
    """Ends what is at work as the transaction of that number begins."""
    n_begun = count(1)

    def begins(execute, sql, *rest):
        if sql.startswith("SAVEPOINT") and next(n_begun) == number:
            raise InterruptedError
        return execute(sql, *rest)

    return connection.execute_wrapper(begins)


@pytest.mark.parametrize("number", [2, 3])
def test_a_drawing_that_is_interrupted_between_two_pieces_leaves_whole_panels_and_is_finished_the_next_time(
    campaign, tester, monkeypatch, number
):
    monkeypatch.setattr(placing, "DIALOGUES_AT_ONCE", 2)
    panel(campaign, 2)
    closed_dialogues(campaign, tester, 6)
    draw(campaign)
    person(campaign, "reviewer-3", Role.REVIEWER)
    with pytest.raises(InterruptedError), dying_in(number):
        draw(campaign)
    assert set(held().values()) == {2}
    draw(campaign)
    assert set(held().values()) == {2}
    assert set(loads().values()) == {4}


@pytest.mark.parametrize("number", range(1, 6))
def test_a_drawing_that_is_interrupted_anywhere_leaves_no_queue_with_two_places_in_one_position(
    campaign, tester, monkeypatch, number
):
    monkeypatch.setattr(placing, "DIALOGUES_AT_ONCE", 2)
    panel(campaign, 2)
    closed_dialogues(campaign, tester, 4)
    draw(campaign)
    closed_dialogues(campaign, tester, 4, first=2000)
    with suppress(InterruptedError), dying_in(number):
        draw(campaign)
    draw(campaign)
    places = ReviewPlace.objects.held().order_by("position").values_list("reviewer", "position")
    queues = {reviewer: [n for one, n in places if one == reviewer] for reviewer, _ in places}
    assert list(queues.values()) == [list(range(1, 9))] * 2


def test_a_reviewer_who_leaves_between_the_plan_and_its_pieces_is_drawn_for_nothing(campaign, tester, monkeypatch):
    people = panel(campaign, 2)
    closed_dialogues(campaign, tester, 2)
    plan = placing.places_plan

    def leave_and_give(*asked):
        made = plan(*asked)
        campaign.roles.filter(person=people[1], role=Role.REVIEWER).delete()
        return made

    monkeypatch.setattr(placing, "places_plan", leave_and_give)
    assert draw(campaign) == 0
    monkeypatch.setattr(placing, "places_plan", plan)
    assert draw(campaign) == 2
    assert set(loads()) == {"reviewer"}


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
