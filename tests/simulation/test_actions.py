"""Programs become testers beside people's plan, and what their dialogues are made of is noted."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import translation

from accounts.models import Person
from campaigns.actions import load_campaign
from campaigns.campaign_file.dumping import document_of
from campaigns.models import Assignment, Campaign
from dialogues.actions import open_dialogue
from dialogues.models import Dialogue
from reading.checking import BadFile
from simulation.actions import Manner, NotAProgram, NothingToMeet, add_program, give_dialogues, note_begun, note_call
from simulation.cells import cells_to_meet, manner_of, seed_of
from tests.conftest import SMALL_CAMPAIGN, Admitted, spec_of
from tests.dialogues.test_actions import Talk
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
MANNER = Manner("m", "scripted", "plain", "plain", 0.0, 7)


@pytest.fixture
def program(campaign):
    return add_program(campaign=campaign, username="model-a", by=None, at=AT)


def given(campaign, program, n, seed=1):
    return give_dialogues(campaign=campaign, program=program, n=n, seed=seed, by=None, at=AT)


def test_adding_and_giving_leave_their_lines_once(campaign):
    with lines_of() as lines:
        for _ in range(2):
            program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
            given(campaign, program, 2)
    assert [(line.act, line.about) for line in lines] == [
        ("program.added", "model-a"),
        ("program.assigned", "model-a"),
    ]
    assert lines[1].details == {"n": 2, "seed": 1, "apart": True}


def test_a_person_is_no_program(campaign, tester):
    with pytest.raises(NotAProgram):
        add_program(campaign=campaign, username=tester.username, by=None, at=AT)
    with pytest.raises(NotAProgram):
        given(campaign, tester, 1)


def test_what_was_given_is_not_given_again(campaign, program):
    first = given(campaign, program, 2)
    more = given(campaign, program, 5)
    assert [one.pk for one in more[:2]] == [one.pk for one in first]
    assert len(more) == 5
    assert len({(one.entry_id, one.scenario_id, one.repetition) for one in more}) == 5
    assert all(one.is_apart and not one.is_drawn for one in more)


def test_without_a_system_there_is_nothing_to_meet(campaign, program):
    campaign.entries.update(paused_at=AT, paused_because="it rests")
    with pytest.raises(NothingToMeet):
        given(campaign, program, 1)


def test_it_rehearses_before_the_day_and_counts_nowhere_even_where_programs_count(campaign, program):
    Campaign.objects.update(programs="count", testing_from=AT + timedelta(days=1))
    early = given(Campaign.objects.get(), program, 1)[0]
    dialogue = open_dialogue(assignment=early, at=AT)
    assert dialogue.origin == Dialogue.Origin.PROGRAM
    row = note_begun(dialogue=dialogue, manner=MANNER, prompt_digest="d", at=AT)
    assert row.is_rehearsal
    on_the_day = give_dialogues(campaign=campaign, program=program, n=1, seed=1, by=None, at=AT + timedelta(days=2))[0]
    assert not on_the_day.is_apart
    counted = open_dialogue(assignment=on_the_day, at=AT + timedelta(days=2))
    assert counted.origin == Dialogue.Origin.LIVE
    assert Assignment.objects.filter(tester=program).count() == 1


def test_it_has_more_dialogues_open_than_a_person_may(campaign, program):
    Campaign.objects.update(open_dialogues_per_tester=1)
    opened = [open_dialogue(assignment=one, at=AT) for one in given(campaign, program, 3)]
    assert len({one.pk for one in opened}) == 3
    talk = Talk(opened[0], Admitted(program))
    talk.answer(talk.send().asked)
    talk.close(1)
    assert Dialogue.objects.count() == 0


def test_calls_add_up_and_a_break_keeps_the_row(campaign, program):
    dialogue = open_dialogue(assignment=given(campaign, program, 1)[0], at=AT)
    row = note_begun(dialogue=dialogue, manner=MANNER, prompt_digest="d", at=AT)
    note_call(row=row, tokens_in=10, tokens_out=2, cost=Decimal("0.5"), is_bad=False)
    again = note_begun(dialogue=dialogue, manner=MANNER, prompt_digest="other", at=AT)
    note_call(row=again, tokens_in=1, tokens_out=1, cost=Decimal("0.25"), is_bad=True)
    row.refresh_from_db()
    assert (row.pk, row.prompt_digest) == (again.pk, "d")
    assert (row.n_calls, row.n_bad_answers, row.tokens_in, row.tokens_out) == (2, 1, 11, 3)
    assert row.cost == Decimal("0.75")
    assert not row.is_rehearsal


def test_the_file_makes_accounts_of_programs_and_never_turns_one_into_another(campaign):
    added = SMALL_CAMPAIGN + '\n[[people]]\nusername = "p"\nroles = ["tester"]\nkind = "program"\n'
    load_campaign(spec=spec_of(added))
    assert Person.objects.get(username="p").is_program
    people = document_of(campaign, with_secrets=False)["people"]
    assert [one["username"] for one in people if one.get("kind") == "program"] == ["p"]
    with translation.override("en"), pytest.raises(BadFile, match="of another kind"):
        load_campaign(spec=spec_of(added.replace('"program"', '"person"')))


def test_every_cell_comes_equally_often_and_seeds_repeat():
    cells = cells_to_meet(["a", "b"], ["x", "y", "z"], {}, 12, seed=3)
    assert sorted({cell: cells.count(cell) for cell in cells}.values()) == [2] * 6
    assert cells == cells_to_meet(["a", "b"], ["x", "y", "z"], {}, 12, seed=3)
    assert cells != cells_to_meet(["a", "b"], ["x", "y", "z"], {}, 12, seed=4)
    # What was had before comes last.
    assert cells_to_meet(["a"], ["x", "y"], {("a", "x"): 1}, 1, seed=3) == [("a", "y")]
    assert cells_to_meet([], ["x"], {}, 3, seed=3) == []


def test_each_manner_comes_equally_often_and_each_dialogue_has_a_seed_of_its_own():
    manners = [manner_of(number, ("p", "q"), ("easy", "hard")) for number in range(1, 9)]
    assert sorted(manners.count(one) for one in set(manners)) == [2, 2, 2, 2]
    seeds = {seed_of(5, number) for number in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < 2**31 for seed in seeds)
