"""The campaigns in `examples/campaigns/`: one per preset; each loads, is its own dump, and ranks what was scored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import change_settings, draw_assignments, load_campaign
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Assignment, Campaign, Role
from campaigns.planning.plans import PlanKind
from campaigns.presets import PRESETS
from dialogues.actions import import_dialogues, open_dialogue
from dialogues.dialogue_files import FORMATS
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from leaderboards.live_board import leaderboard
from participants.adapters import PROTOCOLS
from reviews.actions import submit_review
from reviews.actions.placing import draw_review_places
from reviews.actions.vetting import vet_dialogue
from reviews.models import ReviewPlace
from reviews.sheet import Asked

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "examples" / "campaigns").glob("*.toml"))
FINISHED = ROOT / "examples" / "runs" / "dialogue-quality" / "gold.json"

# Presets whose people score dialogues; on pairs they vote.
SCORED = [key for key, preset in PRESETS.items() if preset.value_of("reviewed_by") != "nobody"]

pytestmark = pytest.mark.django_db


def load(preset: str) -> tuple[Campaign, list[str]]:
    content = (ROOT / "examples" / "campaigns" / f"{preset}.toml").read_bytes()
    return load_campaign(spec=read_campaign_file("campaign.toml", content, PROTOCOLS))


def test_there_is_an_example_per_preset():
    assert {path.stem for path in FILES} == set(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_an_example_loads_once_and_is_its_own_dump(preset, capsys):
    campaign, _ = load(preset)
    assert campaign.preset == preset
    assert load(preset)[1] == []
    call_command("dump_campaign", campaign.slug)
    first = capsys.readouterr().out
    dumped = read_campaign_file("dumped.toml", first.encode(), PROTOCOLS)
    assert load_campaign(spec=dumped)[1] == []
    campaign.assignments.all().delete()
    campaign.delete()
    load_campaign(spec=dumped)
    call_command("dump_campaign", dumped.slug)
    assert capsys.readouterr().out == first


def test_the_plans_are_those_of_the_papers():
    smp, seretod, msde, ntcir = (load(preset)[0] for preset in ("smp2018", "seretod2022", "msde", "ntcir14"))
    assert smp.assignments.count() == 2 * 3 * 4, "testers × bots × scenarios"
    assert seretod.assignments.count() == 3 * 6, "bots × goals drawn for each"
    assert msde.assignments.count() == 2 * 4 * 2, "bots × skills × quota"
    assert ntcir.assignments.count() == 0, "nobody talks"
    goals = [seretod.assignments.filter(scenario=goal).count() for goal in seretod.scenarios.all()]
    assert max(goals) - min(goals) <= 1


def closed_dialogues(campaign: Campaign) -> Iterator[Dialogue]:
    """One finished dialogue per bot, or what a file of finished dialogues holds where nobody talks."""
    at = timezone.now()
    if not campaign.scenarios.exists():
        organizer = campaign.roles.get(role=Role.ORGANIZER).person
        for number, bot in enumerate(("good", "bad")):
            (one,) = FORMATS["ntcir"](FINISHED.read_bytes())[number : number + 1]
            import_dialogues(campaign=campaign, dialogues=[one], importer=organizer, bot=bot, team="Demo", at=at)
        yield from Dialogue.objects.filter(assignment__campaign=campaign).order_by("pk")
        return
    # Which scenarios are drawn first is a matter of the seed; of one part each, so that all take the same turns.
    short = Assignment.objects.annotate(n_parts=Count("scenario__subtasks")).filter(n_parts=1)
    for entry in campaign.entries.order_by("key"):
        assignment = short.filter(entry=entry).order_by("pk").first()
        yield talked_through(open_dialogue(assignment=assignment, at=at))


def talked_through(dialogue: Dialogue) -> Dialogue:
    """As if each part of the dialogue had been finished in one turn."""
    for subtask in dialogue.subtasks.all():
        number = subtask.index
        dialogue.turns.create(
            number=number, subtask=number, spent=1, turn_cap=9, key=str(number), text="你好", texts=["好的"], owner="x",
            status="answered", seq=2 * number - 1, outcome_seq=2 * number, asked_at=dialogue.opened_at,
        )  # fmt: skip
        subtask.turns_used, subtask.answered_turns, subtask.status = 1, 1, "finished"
        subtask.save()
    dialogue.status, dialogue.closed_at = DialogueStatus.COMPLETED, dialogue.opened_at
    dialogue.save(update_fields=["status", "closed_at"])
    return dialogue


def test_what_was_imported_is_no_part_of_the_file(capsys):
    campaign, _ = load("ntcir14")
    call_command("dump_campaign", campaign.slug)
    before = capsys.readouterr().out
    assert len(list(closed_dialogues(campaign))) == 2
    call_command("dump_campaign", campaign.slug)
    assert capsys.readouterr().out == before
    assert load("ntcir14")[1] == []


def test_nobody_is_drawn_for_what_was_imported(campaign, organizer):
    (one, *_) = FORMATS["ntcir"](FINISHED.read_bytes())
    import_dialogues(campaign=campaign, dialogues=[one], importer=organizer, bot="a", team="", at=timezone.now())
    assert campaign.scenarios.count() == 2
    change_settings(campaign=campaign, changes={"free_choice": False}, at=timezone.now())
    assert [row.scenario for row in draw_assignments(campaign=campaign).add] == ["flight-then-hotel"]


def score(dialogue: Dialogue, reviewer: Person, steps_from_the_best: int) -> None:
    """Scores that are all so many points below the best one, with a turn where one is asked for; of labels the first."""
    ratings, evidence = {}, {}
    for key, (asked, place) in Asked(dialogue).by_rating_key().items():
        if asked.is_label:
            ratings[key] = asked.points_at(place)[0].key
            continue
        ratings[key] = asked.scores[max(0, len(asked.scores) - 1 - steps_from_the_best)]
        if ratings[key] < (asked.criterion.evidence_below or ratings[key]):
            evidence[key] = 1
    submit_review(
        dialogue=dialogue, reviewer=reviewer, ratings=ratings, evidence=evidence, verdicts={}, comment="",
        based_on_version=0, at=timezone.now(),
    )  # fmt: skip


@pytest.mark.parametrize("preset", SCORED)
def test_an_example_ranks_by_its_papers_rule_what_its_people_scored(preset):
    campaign, _ = load(preset)
    dialogues = list(closed_dialogues(campaign))
    assert len(dialogues) >= 2
    for dialogue in dialogues:
        for expert in campaign.roles.filter(role=Role.EXPERT):
            vet_dialogue(dialogue=dialogue, expert=expert.person, faults=(), reason="", at=timezone.now())
    draw_review_places(campaign=campaign, at=timezone.now())
    n_drawn = {"self": 0, "panel": 3, "both": 3}[campaign.reviewed_by]
    for worse_by, dialogue in enumerate(dialogues):
        panel = [place.reviewer for place in ReviewPlace.objects.filter(dialogue=dialogue)]
        assert len(panel) == n_drawn
        for reviewer in panel or [dialogue.tester]:
            score(dialogue, reviewer, 2 * worse_by)
    board = leaderboard(campaign)
    assert [row.key for row in board.rows] == [str(dialogue.assignment.entry_id) for dialogue in dialogues]
    assert [row.n for row in board.rows] == [n_drawn or 1] * len(dialogues)
    assert tuple(key.name for key in board.rule) == PRESETS[preset].ranking_rule


def test_a_file_may_name_every_plan_that_can_be_drawn():
    assert SETTINGS["plan"].stored_choices == [kind.value for kind in PlanKind]
