"""Exported records are the inverse of imported ones: they make the same board again."""

import io
import json
import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import load_campaign
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Campaign, Role
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue
from leaderboards.board import BoardSource
from leaderboards.board_json import to_json
from leaderboards.exports import EXPORTS
from leaderboards.live_board import leaderboard
from leaderboards.live_sums import sums_by_cell
from leaderboards.models import ImportedRecord
from leaderboards.statistics import sums_of
from participants.adapters import PROTOCOLS
from reviews.models import Rating, Review, SubtaskVerdict
from tests.campaigns.test_examples import ROOT
from tests.conftest import PUBLISHED, SMALL_CAMPAIGN, spec_of
from tests.dialogues.test_actions import Talk
from tests.leaderboards.played import played

pytestmark = pytest.mark.django_db

SMP2018 = PUBLISHED / "smp2018" / "records.jsonl"
SECOND_BOT = '\n[[bots]]\nkey = "b"\nteam = "乙队"\nurl = "http://127.0.0.1:9/"\n'
RUBRIC = """
[rubric]
key = "two"
name = {zh = "两项", en = "Two"}
criteria = [
  {key = "satisfaction", letter = "Sa", name = {zh = "满意度", en = "Satisfaction"}, points = [
    {score = -1, label = {zh = "差", en = "bad"}}, {score = 0, label = {zh = "中", en = "fair"}},
    {score = 2, label = {zh = "好", en = "good"}},
  ]},
  {key = "politeness", letter = "P", name = {zh = "礼貌", en = "Politeness"}, scope = "turn", points = [
    {score = 0, label = {zh = "否", en = "no"}}, {score = 1, label = {zh = "是", en = "yes"}},
  ]},
]
[ranking]
keys = ["completion", "mean_turns", "politeness", "satisfaction"]
"""


def export(tmp_path, slug):
    out = tmp_path / f"{slug}.jsonl"
    call_command("export", slug, "--what", "records", "--format", "jsonl", "--out", str(out), stderr=io.StringIO())
    return out


def load(path, slug):
    call_command("import_records", str(path), "--campaign", slug, stderr=io.StringIO())


def board(slug):
    campaign = Campaign.objects.get(slug=slug)
    shown = to_json(slug, BoardSource(leaderboard(campaign)), turns_are=campaign.turns_are)
    return {"rule": shown["rule"]} | {part: [in_records(row) for row in shown[part]] for part in ("rows", "unranked")}


def in_records(row):
    """Without the keys of entries and the failures of dialogues, which no record tells."""
    return {name: value for name, value in row.items() if name not in {"key", "n_failed", "n_turns"}}


@pytest.mark.parametrize("cap", ["", 'cap_per = "dialogue"\nturn_cap = 8\n'], ids=["cap per subtask", "per dialogue"])
@pytest.mark.parametrize("policy", ["", 'turns_are = "utterances"\n'], ids=["exchanges", "utterances"])
def test_live_records_imported_elsewhere_make_the_same_board(tmp_path, cap, policy, db):
    text = SMALL_CAMPAIGN.replace("free_choice = true\n", f"free_choice = true\n{cap}{policy}") + SECOND_BOT + RUBRIC
    text = re.sub(r", turn_cap = \d", "" if cap else ", turn_cap = 6", text)
    live, _ = load_campaign(spec=spec_of(text))
    load_campaign(spec=spec_of(text.replace('slug = "small"', 'slug = "again"')))
    talked = [(0, 2, True), (0, 1, False), (1, 2, True), (1, 1, True)]
    for number, (bot, n_turns, is_finished) in enumerate(talked):
        score(talk(live, bot, n_turns), is_finished, number)
    load(export(tmp_path, "small"), "again")
    before, after = board("small"), board("again")
    assert [row["n_records"] for row in before["rows"]] == [4, 4]
    assert before == after


def test_imported_dialogues_without_scenarios_or_subtasks_make_the_same_board_and_as_many_scenarios(tmp_path):
    live = played("ntcir14")
    text = (ROOT / "examples/campaigns/ntcir14.toml").read_bytes().replace(b"example-ntcir14", b"again")
    again, _ = load_campaign(spec=read_campaign_file("campaign.toml", text, PROTOCOLS))
    load(export(tmp_path, live.slug), again.slug)
    again.refresh_from_db()
    assert board(live.slug)["rows"] == board(again.slug)["rows"] != []
    names = set(ImportedRecord.objects.filter(campaign=again).values_list("scenario", flat=True))
    assert len(names) > 1
    assert names == {name for _, name in sums_by_cell(live, [])}
    assert len(sums_of(live).cells) == len(sums_of(again).cells)


def talk(campaign, bot, n_turns):
    tester = Person.objects.get(username="tester")
    entry, scenario = campaign.entries.order_by("pk")[bot], campaign.scenarios.get()
    dialogue = open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    talk = Talk(dialogue, Admitted())
    talk.turns(n_turns)
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    return Dialogue.objects.get(pk=dialogue.pk)


class Admitted:
    """The tester of the campaign that is loaded first."""

    @property
    def person_id(self):
        return Person.objects.get(username="tester").pk

    def proof(self, assignment_id):
        return True


def score(dialogue, is_finished, number):
    """Two reviews that count; politeness per turn, so that a record's score is a mean."""
    criteria = {one.key: one for one in dialogue.assignment.campaign.rubric.criteria.all()}
    for who in range(2):
        reviewer, _ = Person.objects.get_or_create(username=f"panel-{who}")
        review = Review.objects.create(
            dialogue=dialogue, reviewer=reviewer, part="panel", is_counted=True, is_submitted=True,
            submitted_at=timezone.now(),
        )  # fmt: skip
        for index in (1, 2):
            SubtaskVerdict.objects.create(review=review, subtask=index, is_finished=is_finished or index == 1)
        for turn in (1, 2, 3)[: 2 + number % 2]:
            given = (number + who + turn) % 2
            Rating.objects.create(
                review=review, criterion=criteria["politeness"], place=f"@{turn}.bot", score=given, lowest=0, highest=1
            )
        if number != 3:
            Rating.objects.create(
                review=review, criterion=criteria["satisfaction"], score=2 * who, lowest=-1, highest=2
            )


def test_imported_records_come_out_as_they_came_and_are_known_when_they_come_again(tmp_path):
    load(SMP2018, "smp")
    out = export(tmp_path, "smp")
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        json.loads(line) for line in SMP2018.read_text().splitlines()
    ]
    said = io.StringIO()
    call_command("import_records", str(out), "--campaign", "smp", stderr=said)
    assert "0 records imported, 630 were there already" in said.getvalue()
    load(out, "again")
    assert board("again") == board("smp")


def test_unknown_keys_are_a_column_of_their_own_and_stand_beside_the_rest_in_json_lines(tmp_path):
    line = {
        "team": "甲", "scenario": "s", "reviewer": "r", "note": "x", "city": ["北京"],
        "subtasks": [{"kind": "", "completed": True, "turns": 1, "cap": 2, "by": "bus"}],
    }  # fmt: skip
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(line))
    load(path, "smp")
    campaign = Campaign.objects.get()
    ((*row, others, weight, team_en),) = EXPORTS["records"].rows(campaign)
    assert (others, weight, team_en) == ({"note": "x", "city": ["北京"]}, 1.0, "")
    assert dict(zip(EXPORTS["records"].columns(campaign), row, strict=False)) == {
        "team": "甲", "bot": None, "scenario": "s", "reviewer": "r", "dialogue": None, "subtasks": line["subtasks"],
        "ratings": None, "dialogue_cap": None,
    }  # fmt: skip
    assert list(EXPORTS["records"].objects(campaign)) == [line]
    assert ImportedRecord.objects.get().content == line


def test_reviews_that_do_not_count_are_no_records(campaign, dialogue, admission, reviewer):
    talk = Talk(dialogue, admission)
    talk.turns(1)
    talk.close(1)
    talk.close(2)
    Review.objects.create(
        dialogue=dialogue, reviewer=reviewer, part="panel", is_submitted=True, submitted_at=timezone.now()
    )
    assert Role.REVIEWER in campaign.roles.values_list("role", flat=True)
    assert list(EXPORTS["records"].rows(campaign)) == []
