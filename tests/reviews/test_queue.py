"""What a reviewer's queue shows: places in order, progress, pace; as many queries for many places as for one."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from campaigns.models import Campaign, Role
from reviews.actions import save_draft
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.desk import pace_s, progress_of, queue_of, status_of
from reviews.models import ReviewPlace
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def place(opened=None, done=None, expires=None, released=None, has_draft=False):
    return {
        "opened_at": opened,
        "done_at": done,
        "expires_at": expires,
        "released_at": released,
        "has_draft": has_draft,
    }


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (place(), "new"),
        (place(opened=NOON, expires=NOON + MINUTE), "reserved"),
        (place(opened=NOON, expires=NOON + MINUTE, has_draft=True), "draft"),
        (place(opened=NOON, expires=NOON, has_draft=True), "expired"),
        (place(opened=NOON, expires=NOON + MINUTE, released=NOON), "expired"),
        (place(opened=NOON, done=NOON, expires=NOON), "done"),
    ],
)
def test_where_a_place_stands(row, status):
    assert status_of(row, NOON) == status


def test_the_pace_is_a_median_that_lunch_does_not_slow():
    assert pace_s([]) is None
    assert pace_s([60, 90, 4 * 3600]) == 90
    assert pace_s([1]) == 5
    assert pace_s([2 * 3600]) == 3600


def test_minutes_left_follow_the_reviewers_own_pace():
    done = [place(opened=NOON, done=NOON + n * MINUTE, expires=NOON) for n in (1, 2, 3)]
    assert progress_of([*done, *[place()] * 5]) == {"done": 3, "total": 8, "minutes_left": 10, "pace_s": 120}
    assert progress_of([place()] * 2) == {"done": 0, "total": 2, "minutes_left": None, "pace_s": None}
    assert progress_of([]) == {"done": 0, "total": 0, "minutes_left": None, "pace_s": None}


def test_the_queue_is_in_the_reviewers_order_under_aliases(campaign, tester):
    (reviewer,) = panel(campaign, 1, reservation_min=10)
    closed_dialogues(campaign, tester, 3)
    dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    with translation.override("en"):
        queue = queue_of(campaign, reviewer, NOON)
    assert queue["progress"] == {"done": 0, "total": 3, "minutes_left": None, "pace_s": None}
    assert queue["training"] is None
    first = queue["places"][0]
    assert first == {
        "id": ReviewPlace.objects.get(dialogue=dialogue).pk, "dialogue": str(dialogue.pk),
        "alias": campaign.entries.get().alias, "scenario": "Flight and hotel", "status": "reserved",
        "expires_at": (NOON + 10 * MINUTE).isoformat(),
    }  # fmt: skip
    assert [one["status"] for one in queue["places"]] == ["reserved", "new", "new"]
    save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=0, at=NOON)
    assert queue_of(campaign, reviewer, NOON)["places"][0]["status"] == "draft"
    submit(dialogue, reviewer, at=NOON + MINUTE)
    assert queue_of(campaign, reviewer, NOON)["progress"] == {"done": 1, "total": 3, "minutes_left": 2, "pace_s": 60}


def test_what_ran_out_and_can_be_had_back_is_still_shown(campaign, tester):
    (reviewer,) = panel(campaign, 1, reservation_min=10)
    closed_dialogues(campaign, tester, 1)
    open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    other = person(campaign, "other", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON + 10 * MINUTE)
    assert [one["status"] for one in queue_of(campaign, reviewer, NOON)["places"]] == ["expired"]
    open_next_place(campaign=campaign, reviewer=other, at=NOON + 10 * MINUTE)
    assert queue_of(campaign, reviewer, NOON)["places"] == []


def test_a_queue_of_many_asks_the_database_no_more_often(campaign, tester):
    (reviewer,) = panel(campaign, 1, training_pass_percent=50)
    Campaign.objects.update(gold_every=2)

    def n_queries():
        draw_review_places(campaign=campaign, at=NOON)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert queue_of(campaign, reviewer, NOON)["places"]
        return len(queries)

    closed_dialogues(campaign, tester, 1)
    few = n_queries()
    closed_dialogues(campaign, tester, 9, first=3000)
    assert n_queries() == few
