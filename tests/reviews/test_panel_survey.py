"""Which panels lack reviews, since when, and why nobody can be drawn for them; always as the next drawing finds it."""

import random
from datetime import timedelta

import pytest

from campaigns.models import CampaignRole, Role
from dialogues.models import Dialogue
from reviews.actions import save_draft, undo_submission
from reviews.actions.closing import close_panel
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark
from reviews.models import ReviewPlace
from reviews.panel_gaps import Gap, Hindrance, closed_panels, lacking_panels, short_panels, why_nobody
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def gap(campaign, at=NOON):
    (one,) = lacking_panels(campaign, at)
    return one.gap


def why(campaign, at=NOON):
    (one,) = short_panels(campaign, at)
    return {str(because): people for because, people in why_nobody(one.panel.hindered).items()}


def begin(dialogue, reviewer, at=NOON):
    save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "…"}, based_on_version=0, at=at)


def test_a_panel_in_work_is_not_short(campaign, tester):
    people = panel(campaign, 3)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    assert gap(campaign) == Gap(3, 0, 0, 3, 0)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    assert gap(campaign) == Gap(3, 1, 2, 0, 0)
    assert short_panels(campaign, NOON) == []


def test_a_whole_panel_and_one_that_nobody_scores_are_not_listed(campaign, tester):
    people = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    assert lacking_panels(campaign, NOON) == []
    campaign.reviewed_by = "self"
    campaign.reviewers_per_dialogue = 3
    assert lacking_panels(campaign, NOON) == []


def test_too_few_reviewers_exist(campaign, tester):
    panel(campaign, 2)
    campaign.reviewers_per_dialogue = 3
    campaign.save()
    closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    assert gap(campaign) == Gap(3, 0, 2, 0, 1)
    assert why(campaign) == {"at_work": ["reviewer", "reviewer-2"]}


def test_whoever_talked_or_cannot_judge_it_is_named_and_since_when(campaign):
    people = panel(campaign, 3)
    person(campaign, "reviewer", Role.TESTER)
    (dialogue,) = closed_dialogues(campaign, people[0], 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[1], at=NOON + MINUTE)
    add_remark(dialogue=dialogue, reviewer=people[2], kind="cannot_judge", text="", at=NOON + HOUR)
    assert why(campaign) == {"scored": ["reviewer-2"], "cannot_judge": ["reviewer-3"], "talked": ["reviewer"]}
    (short,) = short_panels(campaign, NOON + 2 * HOUR)
    assert short.since == NOON + HOUR
    assert short.gap.may_be_closed


def test_an_importer_did_not_talk_and_may_be_drawn(campaign):
    people = panel(campaign, 1)
    closed_dialogues(campaign, people[0], 1, origin="imported", external_id="d1")
    assert gap(campaign).n_to_draw == 1


def test_whoever_left_is_named(campaign, tester):
    people = panel(campaign, 2)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    for reviewer in people:
        begin(dialogue, reviewer)
    CampaignRole.objects.filter(person=people[0]).delete()
    assert why(campaign) == {"at_work": ["reviewer-2"], "left": ["reviewer"]}
    draw_review_places(campaign=campaign, at=NOON + MINUTE)
    assert why(campaign, NOON + MINUTE) == {"at_work": ["reviewer-2"], "left": ["reviewer"]}


def test_time_that_ran_out_with_nobody_to_take_over(campaign, tester):
    people = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    begin(dialogue, people[0])
    out = NOON + timedelta(minutes=campaign.reservation_min)
    assert short_panels(campaign, out - MINUTE) == []
    draw_review_places(campaign=campaign, at=out + HOUR)
    (short,) = short_panels(campaign, out + HOUR)
    assert (short.since, short.panel.hindered) == (out, {"reviewer": Hindrance.RAN_OUT})


def test_whoever_is_in_training_is_named(campaign, tester):
    people = panel(campaign, 1, training_pass_percent=50)
    gold, _ = closed_dialogues(campaign, tester, 2)
    organizer = person(campaign, "organizer", Role.ORGANIZER)
    set_gold(dialogue=gold, organizer=organizer, content={"ratings": SCORES}, at=NOON)
    draw_review_places(campaign=campaign, at=NOON)
    assert why(campaign) == {"in_training": [people[0].username]}


def test_a_closed_panel_is_listed_apart(campaign, tester):
    people = panel(campaign, 2)
    organizer = person(campaign, "organizer", Role.ORGANIZER)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    add_remark(dialogue=dialogue, reviewer=people[1], kind="cannot_judge", text="", at=NOON)
    close_panel(dialogue=dialogue, organizer=organizer, because="x", at=NOON)
    assert short_panels(campaign, NOON) == []
    assert [one.dialogue_id for one in closed_panels(campaign)] == [dialogue.pk]


def test_the_number_of_queries_does_not_grow_with_the_panels(campaign, tester, django_assert_num_queries):
    panel(campaign, 2)
    person(campaign, "reviewer-2").campaign_roles.all().delete()
    for n in (1, 5):
        closed_dialogues(campaign, tester, n, first=1000 * n)
        draw_review_places(campaign=campaign, at=NOON)
        with django_assert_num_queries(6):
            assert short_panels(campaign, NOON)


@pytest.mark.parametrize("seed", range(8))
def test_it_says_what_the_next_drawing_finds(campaign, tester, seed):
    rng = random.Random(seed)
    size = rng.choice([1, 2, 3])
    people = panel(campaign, size)
    people += [person(campaign, "more", Role.REVIEWER)] * rng.choice([0, 1])
    person(campaign, people[0].username, Role.TESTER)
    dialogues = closed_dialogues(campaign, tester, 2) + closed_dialogues(campaign, people[0], 2, first=2000)
    at = NOON
    for _ in range(25):
        at += rng.choice([MINUTE, HOUR])
        something_happens(campaign, rng.choice(dialogues), rng.choice(people), rng, at)
        expected = {one.dialogue.pk: one.gap for one in lacking_panels(campaign, at)}
        n_drawn = draw_review_places(campaign=campaign, at=at)
        after = {one.dialogue.pk: one.gap for one in lacking_panels(campaign, at)}
        assert {pk: one.n_short for pk, one in after.items()} == {pk: one.n_short for pk, one in expected.items()}
        assert not any(one.n_to_draw for one in after.values())
        held = {
            pk: ReviewPlace.objects.filter(dialogue=pk).held().exclude(expires_at__lte=at, done_at=None).count()
            for pk in after
        }
        assert held == {pk: one.n_needed - one.n_short for pk, one in after.items()}
        assert n_drawn >= sum(one.n_to_draw for one in expected.values())


def something_happens(campaign, dialogue, reviewer, rng, at):
    dialogue = Dialogue.objects.get(pk=dialogue.pk)
    place = ReviewPlace.objects.to_do().filter(dialogue=dialogue, reviewer=reviewer).first()
    act = rng.choice(["begin", "submit", "remark", "undo", "leave", "come"])
    if act == "leave":
        CampaignRole.objects.filter(person=reviewer, role=Role.REVIEWER).delete()
    elif act == "come":
        campaign.roles.get_or_create(person=reviewer, role=Role.REVIEWER)
    elif not campaign.roles.filter(person=reviewer, role=Role.REVIEWER).exists():
        return
    elif act == "undo":
        for review in reviewer.reviews.filter(dialogue=dialogue, is_submitted=True, submitted_at__gt=at - 5 * MINUTE):
            undo_submission(dialogue=dialogue, reviewer=reviewer, version=review.version, at=at)
    elif place is not None:
        version = getattr(reviewer.reviews.filter(dialogue=dialogue).first(), "version", 0)
        if act == "begin":
            save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "…"}, based_on_version=version, at=at)
        elif act == "submit":
            submit(dialogue, reviewer, based_on_version=version, at=at)
        else:
            add_remark(dialogue=dialogue, reviewer=reviewer, kind="cannot_judge", text="", at=at)
