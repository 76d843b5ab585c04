"""The campaigns in `examples/campaigns/`: one per preset; each loads, is its own dump, and ranks what was scored."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import change_settings, draw_assignments, load_campaign
from campaigns.campaign_file import read_campaign_file
from campaigns.campaign_settings import SETTINGS
from campaigns.models import Assignment, Campaign, Role, Scenario
from campaigns.plans import PlanKind
from campaigns.presets import PRESETS
from leaderboards.live_board import leaderboard
from participants.adapters import PROTOCOLS
from reviews.models import Rating, Review
from rubrics.models import Criterion
from testing_console.actions import import_dialogues, open_dialogue
from testing_console.dialogue_files import FORMATS
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "examples" / "campaigns").glob("*.toml"))
FINISHED = ROOT / "examples" / "runs" / "dialogue-quality" / "gold.json"

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
    for entry in campaign.entries.order_by("key"):
        assignment = Assignment.objects.filter(entry=entry, started_at=None).order_by("pk").first()
        dialogue = open_dialogue(assignment=assignment, at=at)
        dialogue.status, dialogue.closed_at = DialogueStatus.COMPLETED, at
        dialogue.save(update_fields=["status", "closed_at"])
        yield dialogue


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
    change_settings(campaign=campaign, changes={"free_choice": False})
    assert [row.scenario for row in draw_assignments(campaign=campaign).add] == ["flight-then-hotel"]


def applies(criterion: Criterion, scenario: Scenario) -> bool:
    return criterion.scope == "dialogue" and (not criterion.skills or scenario.skill in criterion.skills)


def score(dialogue: Dialogue, reviewer: Person, steps_from_the_best: int) -> None:
    """A counted review whose scores are all so many points below the best one."""
    review = Review.objects.create(
        dialogue=dialogue, reviewer=reviewer, part=Review.Part.PANEL, is_counted=True, is_submitted=True,
        submitted_at=timezone.now(),
    )  # fmt: skip
    scenario = dialogue.assignment.scenario
    for subtask in dialogue.subtasks.all() if scenario.campaign.rubric.asks_for_verdicts else ():
        review.verdicts.create(subtask=subtask.index, is_finished=True)
    for criterion in scenario.campaign.rubric.criteria.all():
        if applies(criterion, scenario):
            scale = criterion.scores()
            given = scale[max(0, len(scale) - 1 - steps_from_the_best)]
            Rating.objects.create(review=review, criterion=criterion, score=given, lowest=scale[0], highest=scale[-1])


@pytest.mark.parametrize("preset", PRESETS)
def test_an_example_ranks_by_its_papers_rule(preset):
    campaign, _ = load(preset)
    who = Role.TESTER if campaign.reviewed_by == "self" else Role.REVIEWER
    reviewers = [role.person for role in campaign.roles.filter(role=who)[:3]]
    dialogues = list(closed_dialogues(campaign))
    assert len(dialogues) >= 2
    for steps_from_the_best, dialogue in enumerate(dialogues):
        for reviewer in reviewers:
            score(dialogue, reviewer, steps_from_the_best)
    board = leaderboard(campaign)
    assert [row.key for row in board.rows] == [str(dialogue.assignment.entry_id) for dialogue in dialogues]
    assert [row.n for row in board.rows] == [3] * len(dialogues)
    assert tuple(key.name for key in board.rule) == PRESETS[preset].ranking_rule


def test_a_file_may_name_every_plan_that_can_be_drawn():
    assert SETTINGS["plan"].stored_choices == [kind.value for kind in PlanKind]
