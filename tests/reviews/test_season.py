"""The calendar in the actions of those who score: to the second, on both sides."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from reviews.actions import save_draft, undo_submission
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.submitting import add_remark, request_revision
from reviews.actions.vetting import vet_dialogue
from tests.reviews.conftest import NOON, SCORES, closed_dialogue, panel, person, submit

pytestmark = pytest.mark.django_db
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


def say(campaign, **dates):
    Campaign.objects.filter(pk=campaign.pk).update(**dates)


def both_sides(act, campaign):
    """The act is refused a second before and after the time of reviewing, and done in the first and the last one."""
    say(campaign, review_from=NOON, review_until=NOON + HOUR)
    for at in (NOON - SECOND, NOON + HOUR + SECOND):
        with pytest.raises(NotNow):
            act(at)
    act(NOON)
    act(NOON + HOUR + timedelta(microseconds=999_999))


def test_a_reviewer_hands_in_within_the_time_of_reviewing(campaign, tester):
    reviewer, *_ = panel(campaign, 1)
    dialogue = closed_dialogue(campaign, tester)
    dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=NOON)
    draft = {"changes": {"ratings": {"fluency": 1}}, "based_on_version": 0}
    both_sides(lambda at: save_draft(dialogue=dialogue, reviewer=reviewer, at=at, **draft), campaign)
    both_sides(lambda at: add_remark(dialogue=dialogue, reviewer=reviewer, kind="leaked", text="", at=at), campaign)
    say(campaign, review_from=None, review_until=NOON)
    with pytest.raises(NotNow):
        submit(dialogue, reviewer, at=NOON + SECOND)
    review = submit(dialogue, reviewer, at=NOON)
    with pytest.raises(NotNow):
        undo_submission(dialogue=dialogue, reviewer=reviewer, version=review.version, at=NOON + SECOND)
    with pytest.raises(NotNow):
        request_revision(dialogue=dialogue, reviewer=reviewer, reason="slip", at=NOON + SECOND)


def test_the_next_dialogue_of_a_queue_opens_within_the_time_of_reviewing(campaign, tester):
    reviewer, *_ = panel(campaign, 1)
    closed_dialogue(campaign, tester)
    draw_review_places(campaign=campaign, at=NOON)

    def open_next(at):
        return open_next_place(campaign=Campaign.objects.get(), reviewer=reviewer, at=at)

    both_sides(open_next, campaign)


def test_experts_vet_within_the_time_of_reviewing(campaign, tester):
    say(campaign, experts_per_dialogue=3)
    dialogue = closed_dialogue(campaign, tester)
    expert = person(campaign, "expert", Role.EXPERT)
    both_sides(lambda at: vet_dialogue(dialogue=dialogue, expert=expert, faults=(), reason="", at=at), campaign)


def test_testers_score_their_own_dialogues_before_the_panels_begin_and_until_reviewing_ends(campaign, closed, tester):
    say(campaign, review_from=NOON + HOUR, review_until=NOON + 2 * HOUR)
    with pytest.raises(NotNow):
        submit(closed, tester, at=NOON + 2 * HOUR + SECOND)
    assert submit(closed, tester, at=NOON).is_submitted


def test_the_api_says_that_it_is_not_the_time(client, campaign, closed, tester):
    say(campaign, review_until=timezone.now() - HOUR)
    client.force_login(tester)
    body = {"ratings": SCORES, "verdicts": {}, "version": 0}
    answer = client.post(f"/api/v1/dialogues/{closed.pk}/review/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_now")
    assert "(UTC+08:00)" in answer.json()["detail"]
