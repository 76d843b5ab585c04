"""What waits for experts and reviewers, since when."""

from datetime import timedelta

import pytest

from campaigns.actions.people import pause_person
from campaigns.interests import Interests
from campaigns.models import Role
from dialogues.models import Dialogue
from organizing.wall.needs import NOTHING, PersonInNeed, Waiting
from organizing.wall.needs_reading import fewest_experts, idle_reviewers, n_experts_needed, short, unvetted
from reviews.actions.vetting import vet_dialogue
from reviews.models import ReviewPlace, Vetting
from tests.reviews.conftest import NOON, closed_dialogues, panel, person

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_dialogues_wait_until_their_experts_have_decided(campaign, tester):
    panel(campaign, 1, experts_per_dialogue=3)
    dialogues = closed_dialogues(campaign, tester, 2)
    Dialogue.objects.update(closed_at=NOON)
    one, two, three = [person(campaign, f"expert-{number}", Role.EXPERT) for number in (1, 2, 3)]
    assert (unvetted(campaign, NOON), n_experts_needed(campaign)) == (Waiting(2, NOON), 3)
    vet_dialogue(dialogue=dialogues[0], expert=one, faults=(), reason="", at=NOON)
    assert unvetted(campaign, NOON).n == 2
    vet_dialogue(dialogue=dialogues[0], expert=two, faults=(), reason="", at=NOON)
    assert unvetted(campaign, NOON).n == 2
    vet_dialogue(dialogue=dialogues[0], expert=three, faults=(), reason="", at=NOON)
    assert unvetted(campaign, NOON).n == 1
    for expert in (one, two, three):
        vet_dialogue(dialogue=dialogues[1], expert=expert, faults=["fluent"], reason="x", at=NOON)
    assert unvetted(campaign, NOON) == NOTHING


def test_an_expert_who_may_not_assess_a_dialogue_is_missing_there(campaign, tester, organizer):
    panel(campaign, 1, experts_per_dialogue=3, members_may_judge="others")
    first, second = closed_dialogues(campaign, tester, 2)
    one, two, _three = [person(campaign, f"expert-{number}", Role.EXPERT) for number in (1, 2, 3)]
    assert fewest_experts(campaign, Interests(campaign)) == 3
    Dialogue.objects.filter(pk=second.pk).update(tester=one)
    assert fewest_experts(campaign, Interests(campaign)) == 2, "the first expert talked in the second dialogue"
    campaign.team_members.create(team=first.assignment.entry.bot.team, person=two)
    assert fewest_experts(campaign, Interests(campaign)) == 1, "the second one belongs to the team"
    Vetting.objects.create(dialogue=second, expert=two, is_accepted=True, at=NOON)
    assert fewest_experts(campaign, Interests(campaign)) == 2, "an earlier answer counts"
    campaign.experts_per_dialogue = 0
    assert fewest_experts(campaign, Interests(campaign)) == 0


def test_nobody_waits_for_experts_who_can_decide_no_more(campaign, tester):
    panel(campaign, 1, experts_per_dialogue=3)
    closed_dialogues(campaign, tester, 1)
    assert unvetted(campaign, NOON).n == 1
    campaign.review_until = NOON - DAY
    assert unvetted(campaign, NOON) == NOTHING


def test_a_reviewer_who_does_nothing_for_a_day_is_named(campaign, tester):
    panel(campaign, 1)
    first, second = closed_dialogues(campaign, tester, 2)
    idler = person(campaign, "idler", Role.REVIEWER)
    made = {"reviewer": idler, "drawn_at": NOON}
    place = ReviewPlace.objects.create(dialogue=first, position=1, **made)
    assert idle_reviewers(campaign, NOON + DAY) == []
    campaign.review_from = NOON + DAY
    assert idle_reviewers(campaign, NOON + DAY + timedelta(hours=23)) == [], "review is open for less than a day"
    campaign.review_from = None
    late = NOON + DAY + timedelta(seconds=1)
    assert idle_reviewers(campaign, late) == [PersonInNeed("idler", NOON, n=1)]
    # What is drawn for them meanwhile is no work of theirs.
    ReviewPlace.objects.create(dialogue=second, position=2, reviewer=idler, drawn_at=late)
    assert idle_reviewers(campaign, late) == [PersonInNeed("idler", NOON, n=2)]
    ReviewPlace.objects.filter(pk=place.pk).update(opened_at=late)
    assert idle_reviewers(campaign, late) == []
    ReviewPlace.objects.filter(pk=place.pk).update(done_at=late)
    assert idle_reviewers(campaign, late + 2 * DAY) == [PersonInNeed("idler", late, n=1)]
    pause_person(campaign=campaign, person=idler, because="ill", by=None, at=late)
    assert idle_reviewers(campaign, late + 2 * DAY) == []


def test_nobody_is_idle_before_review_or_where_nobody_scores(campaign, tester):
    panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    idler = person(campaign, "idler", Role.REVIEWER)
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=idler, position=1, drawn_at=NOON)
    campaign.review_from = NOON + 3 * DAY
    assert idle_reviewers(campaign, NOON + 2 * DAY) == []
    campaign.review_from, campaign.reviewed_by = None, "self"
    assert idle_reviewers(campaign, NOON + 2 * DAY) == []
    assert short(campaign, NOON + 2 * DAY) == NOTHING
