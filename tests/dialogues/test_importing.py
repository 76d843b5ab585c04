"""Imported dialogues: closed, blind, consistent in the ledger, never a tester's, and stored once."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Person
from campaigns.actions import load_campaign
from campaigns.models import CampaignRole, Scenario
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.queries import events_after, state_of
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.scoring.conftest import EXAMPLES
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

NTCIR = EXAMPLES / "nugget-detection" / "gold.json"


def line(name, *texts, **named):
    speakers = ["tester", "bot"] * len(texts)
    return {"id": name, "turns": [{"speaker": s, "text": t} for s, t in zip(speakers, texts, strict=False)]} | named


@pytest.fixture
def load(campaign, tmp_path):
    def load(*lines, **options):
        path = tmp_path / "dialogues.jsonl"
        path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines))
        return imported(path, **{"bot": "Helper", "team": "Team Beta"} | options)

    return load


def imported(path, **options):
    told = io.StringIO()
    call_command("import_dialogues", "small", str(path), stderr=told, **options)
    return told.getvalue()


def everything():
    return [list(model.objects.order_by("pk").values()) for model in (Dialogue, Turn, Attempt)]


def test_an_imported_dialogue_is_closed_and_ready_for_review(load, organizer):
    assert load(line("d1", "你好", "您好", "再见")) == "1 dialogues imported, 0 were there already.\n"
    dialogue = Dialogue.objects.reviewable().get()
    assert (dialogue.origin, dialogue.external_id, dialogue.status) == ("imported", "d1", "completed")
    assert (dialogue.tester, dialogue.turns_used) == (organizer, 2)
    assignment = dialogue.assignment
    assert (assignment.is_drawn, assignment.started_at is not None) == (False, True)
    entry = assignment.entry
    assert (entry.bot.team.name, entry.bot.name, entry.is_declared, entry.url) == ("Team Beta", "Helper", False, "")
    assert [(t.number, t.text, t.texts, t.flags) for t in dialogue.turns.all()] == [
        (1, "你好", ["您好"], []), (2, "再见", [], []),
    ]  # fmt: skip


def test_its_ledger_is_gapless_and_ends_with_the_closing(load):
    load(line("d1", "a", "b", "c", "d"))
    dialogue = Dialogue.objects.with_waiting().get()
    events = events_after(dialogue.pk, 0)
    assert [seq for seq, _ in events] == list(range(1, dialogue.last_seq + 1))
    kinds = [json.loads(frame)["type"] for _, frame in events]
    assert kinds == ["turn.accepted", "reply.done", "turn.accepted", "reply.done", "subtask.closed", "dialogue.closed"]
    assert state_of(dialogue.pk).turns_used == 2


def test_reviewers_who_say_what_is_finished_find_one_part_and_others_none(load, campaign):
    load(line("d1", "a", "b"))
    (part,) = Dialogue.objects.get().subtasks.all()
    assert (part.index, part.status, part.turns_used, part.answered_turns) == (1, "finished", 1, 1)
    campaign.rubric.asks_for_verdicts = False
    campaign.rubric.save()
    load(line("d2", "a", "b"))
    assert not Dialogue.objects.get(external_id="d2").subtasks.exists()


def test_the_same_file_again_changes_nothing(load):
    lines = [line("d1", "a", "b"), line("d2", "Helper?", "I am HELPER of Team Beta", "c")]
    load(*lines)
    before = everything()
    assert load(*lines) == "0 dialogues imported, 2 were there already.\n"
    assert everything() == before
    assert load(*lines, line("d3", "x")) == "1 dialogues imported, 2 were there already.\n"


@pytest.mark.parametrize(
    "changed",
    [line("d1", "a", "B"), line("d1", "A", "b"), line("d1", "a", "b", "c"), line("d1", "a", "b", bot="Other")],
)
def test_a_dialogue_that_was_changed_is_a_problem_and_nothing_is_imported(load, changed):
    load(line("d1", "a", "b"))
    before = everything()
    with pytest.raises(CommandError, match="line 2: differs from the dialogue that was imported before"):
        load(line("d0", "new"), changed)
    assert everything() == before


def test_names_of_teams_and_bots_are_masked_and_the_original_is_stored(load):
    load(line("d1", "who?", "I am H e l p e r by Team Alpha"))
    turn = Turn.objects.get()
    assert "Alpha" not in turn.texts[0]
    assert "█" in turn.texts[0]
    assert (turn.flags, turn.attempts.get().texts) == (["masked"], ["I am H e l p e r by Team Alpha"])


def test_a_bot_of_the_campaign_is_named_by_its_key(load, campaign):
    load(line("d1", "a", "b"), bot="a", team="")
    assert Dialogue.objects.get().assignment.entry == campaign.entries.get()


def test_a_dialogue_that_names_no_bot_or_an_unknown_scenario_is_a_problem(load):
    with pytest.raises(CommandError) as refused:
        load(line("d1", "a"), line("d2", "a", bot="a", scenario="nowhere"), bot="", team="")
    assert "line 1, bot: names no system and team" in str(refused.value)
    assert "line 2, scenario: this campaign has no scenario “nowhere”" in str(refused.value)
    assert not Dialogue.objects.exists()


def test_imported_dialogues_are_nothing_that_their_importer_has_to_test(load, campaign, organizer, client):
    CampaignRole.objects.create(campaign=campaign, person=organizer, role="tester")
    load(line("d1", "a", "b"))
    dialogue = Dialogue.objects.get()
    client.force_login(organizer)
    assert client.get("/api/v1/assignments/").json() == []
    assert client.get(f"/dialogues/{dialogue.pk}/").status_code == 404
    assert client.get(f"/api/v1/dialogues/{dialogue.pk}/").status_code == 404
    assert client.get(f"/api/v1/dialogues/{dialogue.pk}/review/").status_code == 404


def test_its_bot_is_offered_to_no_tester(load, campaign, tester, client):
    load(line("d1", "a", "b"))
    client.force_login(tester)
    offered = client.get("/api/v1/campaigns/small/choices/").json()["bots"]
    assert offered == [campaign.entries.get(key="a").alias]


def test_the_campaign_file_loads_again_after_an_import(load, campaign):
    load(line("d1", "a", "b"), line("d2", "a", scenario="flight-then-hotel"))
    _, changes = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    assert changes == []
    assert Scenario.objects.filter(campaign=campaign).count() == 2


def test_the_example_of_ntcir_is_imported(campaign):
    assert imported(NTCIR, format="ntcir", bot="helpdesk", team="Weibo").startswith("6 dialogues imported")
    assert Turn.objects.filter(dialogue__external_id="d1").count() == 2


def test_the_importer_is_an_organizer_of_the_campaign(load, campaign, tester):
    second = Person.objects.create_user("second")
    CampaignRole.objects.create(campaign=campaign, person=second, role="organizer")
    load(line("d1", "a"), importer="second")
    assert Dialogue.objects.get().tester == second
    with pytest.raises(CommandError, match="tester is no organizer of small"):
        load(line("d2", "a"), importer="tester")


def test_a_missing_file_and_an_unknown_campaign_are_errors_in_words(campaign):
    with pytest.raises(CommandError, match="cannot be read"):
        imported("/nowhere.jsonl")
    with pytest.raises(CommandError, match="There is no campaign 'x'"):
        call_command("import_dialogues", "x", str(NTCIR))


def test_an_import_is_one_line_by_the_importing_organizer_and_none_where_nothing_is_new(load):
    with lines_of() as lines:
        load(line("d1", "你好", "您好"), line("d2", "你好", "您好"))
        load(line("d1", "你好", "您好"))
    assert [(line.act, line.person, line.details) for line in lines] == [("dialogues.imported", "organizer", {"n": 2})]
