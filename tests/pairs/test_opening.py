"""The next pair of a judge: what is opened, for whom, and what is never put in front of them."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Person
from campaigns.actions.people import pause_person
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role, TeamMember
from dialogues.models import Dialogue
from dialogues.turn_taking import Refusal
from pairs.actions import NoPairs, PausedJudge
from pairs.models import Pair, PairVote
from simulation.actions import add_program, give_dialogues
from tests.pairs.conftest import ended, judge_of, opened, talked, voted
from tests.reviews.conftest import NOON

pytestmark = pytest.mark.django_db


def test_a_live_pair_opens_two_dialogues_of_one_scenario(live, tester):
    pair = opened(live, tester)
    left, right = pair.left_dialogue, pair.right_dialogue
    assert left.is_open
    assert right.is_open
    assert {left.assignment.entry, right.assignment.entry} == {pair.left, pair.right}
    assert left.assignment.scenario == right.assignment.scenario == pair.scenario
    assert {left.tester, right.tester} == {tester}
    assert (pair.number, pair.position, pair.draw, pair.seed) == (1, 1, "balanced", live.drawing_seed)


def test_a_pair_that_was_begun_comes_back_until_it_is_compared(live, tester):
    pair = opened(live, tester)
    assert opened(live, tester) == pair
    voted(ended(pair, tester), tester)
    following = opened(live, tester)
    assert following != pair
    assert following.position == 2


def test_two_open_dialogues_must_fit_under_the_limit(live, tester):
    Campaign.objects.update(open_dialogues_per_tester=1)
    with pytest.raises(Refusal, match="open already"):
        opened(live, tester)
    assert not Pair.objects.exists()
    assert not Dialogue.objects.exists()


def test_a_judge_gets_so_many_pairs_and_no_more(live, tester):
    Campaign.objects.update(pairs_per_judge=2)
    live.refresh_from_db()
    for _ in range(2):
        voted(ended(opened(live, tester), tester), tester)
    assert opened(live, tester) is None


def test_every_pair_of_a_judge_is_another_one(live, tester):
    keys = []
    while pair := opened(live, tester):
        keys.append(pair.key)
        voted(ended(pair, tester), tester, "tie")
    # Three systems, two scenarios.
    assert len(keys) == len(set(keys)) == 6


def test_the_database_refuses_the_same_pair_twice(live, tester):
    pair = opened(live, tester)
    pair.pk, pair.number = None, 2
    pair.left, pair.right = pair.right, pair.left
    with pytest.raises(IntegrityError), transaction.atomic():
        Pair.objects.create(
            **{
                field.attname: getattr(pair, field.attname)
                for field in Pair._meta.concrete_fields
                if field.name != "id"
            }
        )


def test_finished_dialogues_of_one_scenario_are_put_side_by_side(finished):
    judge = judge_of(finished)
    pair = opened(finished, judge)
    assert pair.left_dialogue.assignment.scenario == pair.right_dialogue.assignment.scenario == pair.scenario
    assert {pair.left_dialogue.assignment.entry, pair.right_dialogue.assignment.entry} == {pair.left, pair.right}
    assert Dialogue.objects.count() == 6


def test_nobody_compares_a_dialogue_that_they_had(finished, tester):
    finished.roles.create(person=tester, role=Role.REVIEWER)
    assert opened(finished, tester) is None


def test_nobody_compares_systems_in_which_they_have_an_interest(finished):
    judge = judge_of(finished)
    Campaign.objects.update(members_may_judge="others")
    finished.refresh_from_db()
    own = finished.entries.get(key="b")
    TeamMember.objects.create(campaign=finished, person=judge, team=own.bot.team)
    pairs = []
    while pair := opened(finished, judge):
        pairs.append(pair)
        voted(pair, judge)
    assert pairs
    assert not any(own in (pair.left, pair.right) for pair in pairs)


def test_an_interest_that_came_since_releases_the_pair(finished):
    judge = judge_of(finished)
    pair = opened(finished, judge)
    TeamMember.objects.create(campaign=finished, person=judge, team=pair.left.bot.team)
    assert opened(finished, judge) is None
    pair.refresh_from_db()
    assert pair.released_because == "interest"


def test_a_void_dialogue_releases_the_pair(live, tester):
    pair = opened(live, tester)
    Dialogue.objects.filter(pk=pair.right_dialogue_id).update(status="void", closed_at=NOON)
    following = opened(live, tester)
    pair.refresh_from_db()
    assert (pair.released_because, pair.released_at) == ("uncounted", NOON)
    assert following.key != pair.key


def test_void_dialogues_and_those_of_programs_are_not_offered_to_people(finished, tester):
    for dialogue in Dialogue.objects.filter(assignment__scenario__key="train"):
        Dialogue.objects.filter(pk=dialogue.pk).update(status="void")
    program = Person.objects.create_user("program", kind="program")
    finished.roles.create(person=program, role=Role.TESTER)
    for entry in finished.entries.all():
        talked(finished, program, entry, finished.scenarios.get(key="train"), 9)
    judge = judge_of(finished)
    while pair := opened(finished, judge):
        assert pair.scenario.key == "flight-then-hotel"
        voted(pair, judge)


@pytest.mark.parametrize(("programs", "origin"), [("apart", "program"), ("count", "live")])
def test_what_a_program_says_in_a_pair_stands_apart_unless_programs_count(live, programs, origin):
    Campaign.objects.update(programs=programs)
    live.refresh_from_db()
    program = add_program(campaign=live, username="program", by=None, at=NOON)
    # What it was given before is another repetition.
    given = give_dialogues(campaign=live, program=program, n=6, seed=1, by=None, at=NOON)
    pair = opened(live, program)
    for dialogue in (pair.left_dialogue, pair.right_dialogue):
        assert (dialogue.origin, dialogue.assignment.is_apart) == (origin, programs == "apart")
        assert (dialogue.assignment.repetition, dialogue.assignment.position > len(given)) == (2, True)
    assert Dialogue.objects.count() == (2 if programs == "count" else 0)
    voted(ended(pair, program), program)
    assert not PairVote.objects.counted(live).exists()


def test_judges_together_meet_all_systems_alike(finished):
    for number in range(6):
        judge = judge_of(finished, f"judge-{number}")
        for _ in range(2):
            voted(opened(finished, judge), judge)
    met = [frozenset((pair.left_id, pair.right_id)) for pair in Pair.objects.all()]
    assert {met.count(two) for two in set(met)} == {4}
    assert sorted(Pair.objects.values_list("number", flat=True)) == list(range(1, 13))


def test_an_adaptive_draw_goes_where_the_least_is_known(finished):
    Campaign.objects.update(pairs_draw="adaptive")
    finished.refresh_from_db()
    first = opened(finished, judge_of(finished, "one"))
    voted(first, judge_of(finished, "one"))
    second = opened(finished, judge_of(finished, "two"))
    assert {second.left_id, second.right_id} != {first.left_id, first.right_id}
    assert second.draw == "adaptive"


def test_who_does_not_compare_is_refused(live, reviewer, tester):
    with pytest.raises(NoPairs):
        opened(live, reviewer)
    Campaign.objects.update(pairs_kind="none")
    live.refresh_from_db()
    with pytest.raises(NoPairs):
        opened(live, tester)


def test_a_paused_judge_and_one_out_of_time_get_nothing(finished, organizer):
    judge = judge_of(finished)
    Campaign.objects.update(review_until=NOON)
    finished.refresh_from_db()
    with pytest.raises(NotNow):
        opened(finished, judge, at=NOON + timedelta(hours=1))
    pause_person(campaign=finished, person=judge, because="ill", by=organizer, at=NOON)
    with pytest.raises(PausedJudge):
        opened(finished, judge)
