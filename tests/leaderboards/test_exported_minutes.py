"""Minutes at work as they are exported: which stored times are acts of whom."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Person
from dialogues.models import Dialogue, Turn
from leaderboards.exports import EXPORTS
from leaderboards.exports.minutes import PAUSE_LIMIT, Act, work_by_role
from reviews.models import Review, ReviewPlace, Vetting
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def at(minutes):
    return NINE + timedelta(minutes=minutes)


def exported(campaign):
    columns = EXPORTS["minutes"].columns(campaign)
    return [dict(zip(columns, row, strict=True)) for row in EXPORTS["minutes"].rows(campaign)]


def minutes(campaign):
    return {(row["person"], row["role"]): (row["minutes"], row["finished"]) for row in exported(campaign)}


@pytest.fixture
def talked(dialogue, admission):
    """Opened at 9:00, two turns until 9:06, closed at 9:07, scored at 9:09."""
    talk = Talk(dialogue, admission)
    talk.turns(2)
    talk.close(1)
    talk.close(2)
    for number, asked in ((1, 2), (2, 5)):
        Turn.objects.filter(number=number).update(asked_at=at(asked), settled_at=at(asked + 1))
    Dialogue.objects.update(opened_at=at(0), closed_at=at(7), scored_at=at(9))
    return dialogue


def test_nobody_worked_before_anybody_did(campaign):
    assert exported(campaign) == []


def test_a_tester_worked_from_the_opening_to_the_scores(campaign, talked):
    (row,) = exported(campaign)
    assert row == {
        "person": "tester", "role": "tester", "finished": 1, "minutes": 9.0, "pauses": 0,
        "first_at": "2026-03-01T09:00:00+00:00", "last_at": "2026-03-01T09:09:00+00:00", "pause_limit_min": 15,
    }  # fmt: skip


def test_nobody_is_paid_for_a_dialogue_that_was_left(campaign, talked):
    Dialogue.objects.update(status="abandoned", closed_at=at(14), scored_at=None)
    assert minutes(campaign) == {("tester", "tester"): (6, 0)}
    Dialogue.objects.update(reason="ended_early")
    assert minutes(campaign) == {("tester", "tester"): (14, 0)}, "its tester was there and gave it up"


def test_an_imported_dialogue_is_nobodys_work(campaign, talked):
    Dialogue.objects.update(origin="imported", external_id="1")
    assert minutes(campaign) == {}


def test_reviewers_work_from_opening_a_place_to_handing_in(campaign, talked, reviewer):
    ReviewPlace.objects.create(
        dialogue=talked, reviewer=reviewer, position=1, drawn_at=at(-500), opened_at=at(60), done_at=at(70)
    )
    Review.objects.create(
        dialogue=talked, reviewer=reviewer, part="panel", is_submitted=True, submitted_at=at(70)
    )  # fmt: skip
    assert minutes(campaign)["reviewer", "reviewer"] == (10, 1)


def test_a_review_that_is_not_handed_in_is_not_finished(campaign, talked, reviewer):
    ReviewPlace.objects.create(dialogue=talked, reviewer=reviewer, position=1, drawn_at=at(0), opened_at=at(60))
    assert minutes(campaign)["reviewer", "reviewer"] == (0, 0)


def test_one_person_can_work_in_several_roles(campaign, talked):
    both = Person.objects.create_user("both")
    Review.objects.create(dialogue=talked, reviewer=both, part="adjudication", is_submitted=True, submitted_at=at(80))
    Vetting.objects.create(dialogue=talked, expert=both, is_accepted=True, at=at(84))
    assert minutes(campaign) == {
        ("both", "adjudicator"): (0, 1), ("both", "expert"): (4, 1), ("tester", "tester"): (9, 1),
    }  # fmt: skip


def test_each_hand_in_and_revision_is_an_act(campaign, talked, tester):
    own = Review.objects.create(
        dialogue=talked, reviewer=tester, part="self", is_submitted=True, submitted_at=at(9)
    )  # fmt: skip
    own.changes.create(version=1, changed_by=tester, at=at(9), digest="x")
    own.changes.create(version=2, changed_by=tester, at=at(19), digest="y")
    assert minutes(campaign) == {("tester", "tester"): (19, 1)}


def test_people_of_another_campaign_are_not_listed(campaign, talked):
    campaign.slug, campaign.pk = "other", None
    campaign.save()
    assert minutes(campaign) == {}


def act_at(minutes, role="tester", finishes=False):
    return Act(NINE + timedelta(minutes=minutes), role, finishes)


def test_nobody_without_an_act_was_at_work():
    assert work_by_role([]) == {}


def test_the_time_between_acts_counts_in_whatever_order_they_come():
    work = work_by_role([act_at(4.5, finishes=True), act_at(0), act_at(1)])["tester"]
    assert (work.minutes, work.n_finished, work.n_pauses) == (4.5, 1, 0)
    assert (work.first_at, work.last_at) == (NINE, NINE + timedelta(minutes=4.5))


@pytest.mark.parametrize(("more", "minutes", "n_pauses"), [(0, 25, 0), (1, 10, 1)])
def test_a_pause_over_the_limit_is_left_out_whole(more, minutes, n_pauses):
    acts = [act_at(0), act_at(5), Act(NINE + timedelta(minutes=5, seconds=more) + PAUSE_LIMIT, "tester")]
    acts.append(Act(acts[-1].at + timedelta(minutes=5), "tester"))
    work = work_by_role(acts)["tester"]
    assert (work.minutes, work.n_pauses) == (minutes, n_pauses)


def test_the_limit_is_a_quarter_of_an_hour():
    assert timedelta(minutes=15) == PAUSE_LIMIT


def test_what_goes_on_at_once_is_not_counted_twice():
    one, other = [act_at(0), act_at(4), act_at(8)], [act_at(1), act_at(5), act_at(9)]
    assert work_by_role([*one, *other])["tester"].minutes == 9


def test_the_time_before_an_act_belongs_to_its_role():
    acts = [
        act_at(0),
        act_at(3),
        act_at(10, "reviewer", finishes=True),
        act_at(12),
        act_at(40, "expert", finishes=True),
    ]
    works = work_by_role(acts)
    assert {role: (work.minutes, work.n_finished, work.n_pauses) for role, work in works.items()} == {
        "tester": (5, 0, 0), "reviewer": (7, 1, 0), "expert": (0, 1, 1),
    }  # fmt: skip
