"""What programs do beside the plan changes no figure, board, export, bundle or count of people: a property over all of them."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from accounts.models import Person
from campaigns.models import Assignment, Campaign, Role
from dialogues.daily_progress import paces_of_testers
from dialogues.models import Dialogue
from dialogues.queries import counted_statuses, void_assignments
from frame.campaign_progress import standing_of
from leaderboards.diagnostics.slices import slices_of
from leaderboards.exports import EXPORTS, pieces
from leaderboards.live_board import computed_rows
from leaderboards.statistics import statistics_of
from organizing.survey import survey_of
from organizing.wall.reading import wall_now
from pairs.actions import open_next_pair, vote
from pairs.models import Pair, PairVote
from participants.models import Team
from publication.bundle.names import BotName, TeamNames
from publication.bundle.plan import PlanTold
from publication.bundle.rows import people_in, texts_of
from publication.readiness import facts_of
from reviews.agreement import agreement_of
from simulation.actions import add_program, give_dialogues
from team_desk.own_bots import entries_of, own_bots
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.leaderboards.played import WAYS, played, talk_through
from verification.bundle_format import ASSIGNMENTS, COLUMNS

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
OF_PEOPLE = [name for name in EXPORTS if not name.startswith("program-")]


def of_people(campaign):
    """Everything that is said of people, as the bytes or rows that say it."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    bots = {one.key: BotName(one.key, one.bot.team.name, one.bot.name) for one in campaign.entries.all()}
    names = TeamNames(bots, {name: name for name in sorted(people_in(campaign))})
    plan = PlanTold(campaign, names)
    told = {f"export {name}": b"".join(pieces(name, campaign, "jsonl")) for name in OF_PEOPLE}
    told |= {f"bundle {file}": list(texts_of(file, campaign, names)) for file in COLUMNS if file != ASSIGNMENTS}
    wall = wall_now(campaign, AT)
    return told | {
        "bundle assignments": list(plan.assignments()),
        "bundle plan": plan.document(),
        "bundle people": people_in(campaign),
        "board": computed_rows(campaign),
        "slices": slices_of(campaign),
        "statistics": json.dumps(statistics_of(campaign, n_resamples=50, n_permutations=50), default=str),
        "agreement": agreement_of(campaign),
        "standing": standing_of(campaign),
        "coverage": repr(replace(survey_of(campaign))),
        "statuses": (counted_statuses(campaign), void_assignments(campaign)),
        "paces": paces_of_testers(campaign, AT),
        "preflight": facts_of(campaign),
        "wall": repr(wall),
        "desks": repr([own_bots(entries_of(team, campaign), AT) for team in Team.objects.order_by("pk")]),
        "begun": campaign.has_begun(),
    }


def simulate(campaign, rng):
    """A program that has dialogues of every way, open, closed and void, with each system."""
    program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
    for entry in campaign.entries.order_by("pk"):
        for number, way in enumerate(rng.sample(WAYS, len(WAYS))):
            talk_through(campaign, entry, number, way, tester=program)
    give_dialogues(campaign=campaign, program=program, n=30, seed=1, by=None, at=AT)
    return program


@pytest.mark.parametrize("preset", ["smp2018", "msde"])
def test_what_programs_do_changes_no_byte_of_what_is_said_of_people(preset):
    campaign = played(preset)
    before = of_people(campaign)
    program = simulate(campaign, random.Random(preset))
    after = of_people(campaign)
    assert [name for name in before if before[name] != after[name]] == []
    assert Dialogue.with_programs.filter(origin=Dialogue.Origin.PROGRAM).count() >= len(WAYS)
    assert b"model-a" in b"".join(pieces("program-turns", campaign, "jsonl"))
    rows = [json.loads(line) for line in b"".join(pieces("program-dialogues", campaign, "jsonl")).splitlines()]
    assert {row["tester_kind"] for row in rows} == {Person.Kind.PROGRAM}
    assert not Assignment.objects.filter(tester=program).exists()


def test_pairs_that_a_program_talks_in_and_compares_change_no_byte_either():
    campaign = played("smp2018")
    Campaign.objects.filter(pk=campaign.pk).update(pairs_kind="live", pairs_per_judge=2)
    campaign.refresh_from_db()
    before = of_people(campaign)
    program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
    while pair := open_next_pair(campaign=campaign, judge=program, at=AT):
        for dialogue in (pair.left_dialogue, pair.right_dialogue):
            talk = Talk(dialogue, Admitted(program))
            talk.turns(1)
            talk.end()
        vote(pair=Pair.objects.get(pk=pair.pk), judge=program, verdict="left", based_on_version=0, at=AT)
    after = of_people(campaign)
    assert PairVote.objects.filter(judge=program).count() == 2
    assert [name for name in before if before[name] != after[name]] == []


def test_a_program_has_no_place_in_the_plan_and_is_asked_nothing_of_people(campaign):
    Campaign.objects.update(free_choice=False)
    program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
    assert program.is_program
    assert not campaign.roles.testers().filter(person=program).exists()
    assert campaign.roles.filter(person=program, role=Role.TESTER).exists()
    Campaign.objects.update(programs="count")
    assert campaign.roles.testers().filter(person=program).exists()
