"""The chore: draws, ends reservations, and says what counts, once per change."""

import asyncio
import contextlib
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Campaign, Role
from reviews import chores as keeping
from reviews.actions import tending
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.tending import tend_reviewing
from reviews.chores import keep_reviewing
from reviews.models import Review, Reviewing, ReviewPlace
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db


def test_what_was_not_counted_yet_is_counted_once(closed, tester):
    submit(closed, tester)
    Review.objects.update(is_counted=False)
    tend_reviewing(at=NOON)
    assert Review.objects.get().is_counted
    version = Campaign.objects.get().scores_version
    tend_reviewing(at=NOON)
    assert Campaign.objects.get().scores_version == version


def test_places_are_drawn_and_given_up_when_the_panel_no_longer_scores(campaign, tester):
    panel(campaign, 2)
    closed_dialogues(campaign, tester, 3)
    assert tend_reviewing(at=NOON) == 6
    assert tend_reviewing(at=NOON) == 0
    Campaign.objects.update(reviewed_by="self")
    tend_reviewing(at=NOON)
    assert not ReviewPlace.objects.exists()


def test_a_campaign_without_a_panel_has_no_places_and_one_note(campaign):
    tend_reviewing(at=NOON)
    tend_reviewing(at=NOON)
    assert Reviewing.objects.count() == 1
    assert not ReviewPlace.objects.exists()


def test_a_campaign_at_rest_is_not_planned_anew_until_something_changes(campaign, tester, monkeypatch):
    (reviewer,) = panel(campaign, 1)
    closed_dialogues(campaign, tester, 2)
    planned, seen = [], {}

    def planning(*, campaign, at):
        planned.append(campaign)
        return draw_review_places(campaign=campaign, at=at)

    monkeypatch.setattr(tending, "draw_review_places", planning)

    def n_planned(at=NOON):
        planned.clear()
        for _ in range(4):
            tend_reviewing(at=at, seen=seen)
        return len(planned)

    # Once more after places were drawn: a dialogue that somebody held was left for the next time.
    assert n_planned() == 2
    assert n_planned() == 0
    closed_dialogues(campaign, tester, 1, first=3000, closed_at=NOON + timedelta(hours=1))
    assert n_planned() == 2
    dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    assert n_planned() == 1
    assert n_planned(NOON + timedelta(hours=2)) == 1
    submit(dialogue, reviewer)
    assert n_planned() == 1
    person(campaign, "another", Role.REVIEWER)
    assert n_planned() == 2
    Campaign.objects.update(reviewers_per_dialogue=2)
    assert n_planned() == 2


def copied(campaign, slug, **changed):
    """The campaign once more, empty."""
    row = Campaign.objects.get(pk=campaign.pk)
    row.pk, row.slug = None, slug
    for name, value in changed.items():
        setattr(row, name, value)
    row.save()
    return row


def test_campaigns_at_rest_cost_no_more_queries_however_many_there_are(campaign, tester):
    panel(campaign, 1)
    closed_dialogues(campaign, tester, 2)
    seen = {}

    def n_queries():
        for _ in range(3):
            tend_reviewing(at=NOON, seen=seen)
        with CaptureQueriesContext(connection) as captured:
            tend_reviewing(at=NOON, seen=seen)
        return len(captured)

    one = n_queries()
    for number in range(5):
        copied(campaign, f"copy-{number}", experts_per_dialogue=number % 2)
    assert n_queries() == one


def test_no_places_are_drawn_in_a_campaign_that_is_over(campaign, tester):
    panel(campaign, 2)
    closed_dialogues(campaign, tester, 3)
    Campaign.objects.update(ends_at=NOON - timedelta(seconds=1))
    assert tend_reviewing(at=NOON) == 0
    Campaign.objects.update(ends_at=NOON)
    assert tend_reviewing(at=NOON) == 6


def test_settings_changed_in_the_last_seconds_are_counted_by_after_the_end(closed, tester):
    submit(closed, tester)
    Review.objects.update(is_counted=False)
    Campaign.objects.update(ends_at=NOON - timedelta(seconds=1))
    tend_reviewing(at=NOON)
    assert Review.objects.get().is_counted


def test_what_counts_in_a_campaign_that_ended_long_ago_changes_no_more(closed, tester):
    submit(closed, tester)
    tend_reviewing(at=NOON)
    Campaign.objects.update(ends_at=NOON, counted_reviews="panel")
    assert Review.objects.get().is_counted
    tend_reviewing(at=NOON + timedelta(days=2))
    assert Review.objects.get().is_counted
    tend_reviewing(at=NOON + timedelta(hours=1))
    assert not Review.objects.get().is_counted


def has_places():
    try:
        return ReviewPlace.objects.exists()
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_the_server_draws_places_by_itself(campaign, tester, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.01)
    panel(campaign, 1)
    closed_dialogues(campaign, tester, 1)

    async def until_drawn():
        kept = asyncio.create_task(keep_reviewing())
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(has_places):
                await asyncio.sleep(0.01)
        kept.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await kept

    asyncio.run(until_drawn())


@pytest.mark.parametrize(
    ("looked_s", "pause_s"), [(0.01, keeping.LOOK_EVERY_S), (0.5, 10.0), (600.0, keeping.LONGEST_PAUSE_S)]
)
def test_a_look_that_took_long_is_followed_by_a_longer_rest(looked_s, pause_s):
    assert keeping.pause_after(looked_s) == pause_s
