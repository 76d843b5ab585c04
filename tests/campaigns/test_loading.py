"""Loading a campaign file again: what it says is done and told; what it does not say stays."""

import json
from dataclasses import replace

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.access import team_of
from campaigns.actions import load_campaign, note_publication
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from dialogues.actions import open_chosen_dialogue
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from measures.ranking import RankingKey
from reading.checking import BadFile
from tests.conftest import SELF_SCORED, SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
SMP2018 = "completion, mean_turns, satisfaction, fluency, guidance"


def load(text, **asked):
    return load_campaign(spec=spec_of(text), **asked)


def saying(published):
    return SMALL_CAMPAIGN.replace("[campaign]", f"[campaign]\npublished = {published}")


@pytest.mark.parametrize("text", [SMALL_CAMPAIGN, saying("false")], ids=["silence", "false"])
def test_a_file_withdraws_no_published_board(campaign, text):
    note_publication(campaign=campaign, is_public=True)
    assert load(text)[1] == []
    campaign.refresh_from_db()
    assert campaign.is_published


def test_a_file_publishes_where_nothing_was_published_yet(campaign):
    assert load(saying("true"))[1] == ["campaign: published changed"]
    assert load(saying("true"))[1] == []
    campaign.refresh_from_db()
    assert (campaign.is_published, campaign.was_published) == (True, False)


def test_a_file_publishes_nothing_that_was_withdrawn(campaign):
    note_publication(campaign=campaign, is_public=False)
    assert load(saying("true"))[1] == []
    campaign.refresh_from_db()
    assert not campaign.is_published


def test_true_in_the_place_of_one_is_a_change():
    text = '[campaign]\nslug = "x"\nname = "x"\n[[bots]]\nkey = "a"\nteam = "A"\noptions = {n = %s}\n'
    text += '[[scenarios]]\nkey = "s"\nfacts = {n = [%s]}\nsubtasks = [{kind = "f"}]\n'
    campaign, _ = load(text % (1, 1))
    assert load(text % ("true", 1))[1] == ["system a: options changed"]
    assert load(text % ("true", "true"))[1] == ["scenario s: facts changed"]
    assert campaign.scenarios.get().facts["n"][0] is True
    assert load(text % ("true", "true"))[1] == []


def test_an_announced_campaign_is_public_before_its_board_is(campaign):
    assert not campaign.is_public
    _, changes = load(SMALL_CAMPAIGN.replace("[campaign]", "[campaign]\nannounced = true"))
    assert changes == ["campaign: announced changed"]
    campaign.refresh_from_db()
    assert (campaign.is_public, campaign.is_published) == (True, False)
    assert list(Campaign.objects.public()) == [campaign]
    assert load(SMALL_CAMPAIGN)[1] == []


@pytest.mark.parametrize(
    "line", ["free_choice = true\n", "reply_deadline_s = 5\n", "open_dialogues_per_tester = 1000\n"]
)
def test_a_setting_that_the_file_no_longer_names_keeps_its_value(campaign, line):
    assert load(SMALL_CAMPAIGN.replace(line, ""))[1] == []
    campaign.refresh_from_db()
    assert (campaign.free_choice, campaign.reply_deadline_s, campaign.open_dialogues_per_tester) == (True, 5, 1000)


def test_a_new_campaign_gets_the_defaults_of_what_its_file_does_not_say(db):
    text = SMALL_CAMPAIGN
    for line in ("free_choice = true\n", "reply_deadline_s = 5\n", "open_dialogues_per_tester = 1000\n"):
        text = text.replace(line, "")
    made, _ = load(text)
    assert (made.free_choice, made.reply_deadline_s, made.open_dialogues_per_tester) == (False, 30, 3)
    assert (made.is_published, made.masked_words) == (False, [])


def names(person, campaign):
    team = team_of(person, campaign)
    return [team.name] if team else []


def test_a_person_who_moves_to_another_team_leaves_the_old_one_and_it_is_told(campaign, participant):
    moved = SMALL_CAMPAIGN + '\n[[people]]\nusername = "second"\nroles = ["participant"]\nteam = "Team Alpha"\n'
    moved = moved.replace(
        'roles = ["participant"]\nteam = "Team Alpha"', 'roles = ["participant"]\nteam = "Team Beta"', 1
    )
    _, changes = load(moved)
    assert "person participant: team Team Alpha → Team Beta" in changes
    assert names(participant, campaign) == ["Team Beta"]
    assert names(Person.objects.get(username="second"), campaign) == ["Team Alpha"]
    without_team = SMALL_CAMPAIGN.replace('roles = ["participant"]\nteam = "Team Alpha"', 'roles = ["participant"]')
    assert "person participant: team Team Beta → none" not in load(without_team)[1]
    assert names(participant, campaign) == ["Team Beta"]
    _, changes = load(without_team, prunes=True)
    assert "person participant: team Team Beta → none" in changes
    assert names(participant, campaign) == []


def test_a_move_in_one_campaign_leaves_the_teams_of_other_campaigns_alone(campaign, participant):
    other, _ = load(SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "other"'))
    load(
        SMALL_CAMPAIGN.replace(
            'roles = ["participant"]\nteam = "Team Alpha"', 'roles = ["participant"]\nteam = "Team Beta"'
        )
    )
    assert names(participant, other) == ["Team Alpha"]
    assert names(participant, campaign) == ["Team Beta"]


def test_a_person_who_is_no_longer_listed_loses_roles_and_team_only_to_pruning(campaign, participant):
    gone = SMALL_CAMPAIGN.partition('[[people]]\nusername = "participant"')[0]
    assert load(gone)[1] == []
    assert names(participant, campaign) == ["Team Alpha"]
    _, changes = load(gone, prunes=True)
    assert changes == ["person participant: role participant taken back", "person participant: team Team Alpha → none"]
    assert names(participant, campaign) == []
    assert not campaign.roles.filter(person=participant).exists()


@pytest.fixture
def changed_rule(monkeypatch):
    """As if a later release ranked the preset by another rule."""
    monkeypatch.setitem(PRESETS, "smp2018", replace(PRESETS["smp2018"], ranking_rule=("mean_turns",)))


def test_a_campaign_that_has_not_begun_follows_its_presets_ranking_rule_and_says_so(campaign, changed_rule):
    assert load(SMALL_CAMPAIGN)[1] == [f"campaign: ranking rule {SMP2018} → mean_turns"]
    campaign.refresh_from_db()
    assert campaign.ranking_rule == ["mean_turns"]
    assert load(SMALL_CAMPAIGN)[1] == []


def test_a_campaign_that_has_begun_keeps_its_ranking_rule_and_says_so(dialogue, campaign, changed_rule):
    assert load(SMALL_CAMPAIGN)[1] == [f"campaign keeps ranking rule {SMP2018}; a new campaign gets mean_turns"]
    campaign.refresh_from_db()
    assert ", ".join(campaign.ranking_rule) == SMP2018


def test_a_campaign_with_imported_records_keeps_its_ranking_rule_and_says_so(campaign, changed_rule):
    line = b'{"team": "One", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": true, "turns": 3, "cap": 9}]}'
    import_records(campaign=campaign, lines=read_record_lines([line], {}))
    assert load(SMALL_CAMPAIGN)[1] == [f"campaign keeps ranking rule {SMP2018}; a new campaign gets mean_turns"]


MSDE = (
    SMALL_CAMPAIGN.replace(SELF_SCORED, "")
    .replace('"smp2018"', '"msde"')
    .replace(", turn_cap = 3", "")
    .replace(", turn_cap = 2", "")
)


def test_another_preset_brings_all_that_it_says_until_the_campaign_has_begun(campaign):
    _, changes = load(MSDE)
    assert changes == [
        "campaign: preset, cap_per, turn_cap, bot_may_end, tester_may_end, context_message, kind, quota, experts changed",
        "campaign: rubric smp2018 v1 → msde v1",
        f"campaign: ranking rule {SMP2018} → informativeness, coherence, knowledge, recommendation",
        "scenario flight-then-hotel: subtasks changed",
    ]
    campaign.refresh_from_db()
    assert (campaign.plan, campaign.quota["persona"], campaign.experts_per_dialogue) == ("quota", 10, 3)
    assert (campaign.cap_per, campaign.turn_cap) == ("dialogue", 10)
    assert campaign.reviewed_by == "self", "both presets have a panel: what an earlier file said stays"
    assert load(MSDE)[1] == []
    load(SMALL_CAMPAIGN)
    campaign.refresh_from_db()
    assert (campaign.plan, campaign.quota, campaign.experts_per_dialogue, campaign.turn_cap) == ("full", {}, 0, None)


def test_a_campaign_that_has_begun_keeps_the_rules_of_dialogues_that_its_preset_had(campaign, tester, monkeypatch):
    campaign, _ = load(MSDE)
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    later = PRESETS["msde"].settings | {"turn_cap": 12}
    monkeypatch.setitem(PRESETS, "msde", replace(PRESETS["msde"], settings=later))
    assert load(MSDE)[1] == ["campaign keeps turn_cap 10; a new campaign gets 12"]
    campaign.refresh_from_db()
    assert campaign.turn_cap == 10
    with pytest.raises(BadFile):
        load(MSDE.replace("[campaign]", "[campaign]\nturn_cap = 12"))


def test_a_campaign_that_has_begun_keeps_the_turn_caps_of_its_subtasks_where_the_file_says_none(
    campaign, tester, monkeypatch
):
    text = SMALL_CAMPAIGN.replace(", turn_cap = 3", "")
    load(text)
    scenario = campaign.scenarios.get()
    open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=scenario, at=timezone.now()
    )
    monkeypatch.setitem(PRESETS, "smp2018", replace(PRESETS["smp2018"], subtask_cap=25))
    assert load(text)[1] == ["scenario flight-then-hotel keeps its turn caps; in a new campaign they are 25"]
    assert list(scenario.subtasks.values_list("turn_cap", flat=True)) == [20, 2]
    assert load(SMALL_CAMPAIGN.replace("turn_cap = 3", "turn_cap = 20"))[1] == []
    with pytest.raises(BadFile, match="cannot be changed since dialogues were opened"):
        load(SMALL_CAMPAIGN.replace("turn_cap = 3", "turn_cap = 21"))
    with pytest.raises(BadFile, match="cannot be changed since dialogues were opened"):
        load(text.replace('kind = "flight"}', 'kind = "train"}'))


def test_a_campaign_that_has_not_begun_follows_the_turn_caps_of_its_preset(campaign, monkeypatch):
    text = SMALL_CAMPAIGN.replace(", turn_cap = 3", "")
    load(text)
    monkeypatch.setitem(PRESETS, "smp2018", replace(PRESETS["smp2018"], subtask_cap=25))
    assert load(text)[1] == ["scenario flight-then-hotel: subtasks changed"]


def test_what_the_file_says_itself_counts_more_than_its_preset():
    text = MSDE + '\n[reviewing]\nby = "both"\ncounted = "panel"\nexperts = 1\nadjudicated_over = 1\n'
    campaign, _ = load(text + '[plan]\nkind = "per_cell"\ntesters_per_cell = 2\n')
    assert (campaign.reviewed_by, campaign.counted_reviews, campaign.reviewers_per_dialogue) == ("both", "panel", 3)
    assert (campaign.experts_per_dialogue, campaign.adjudicated_over) == (1, 1)
    assert (campaign.plan, campaign.testers_per_cell, campaign.free_choice) == ("per_cell", 2, True)
    assert load(text)[1] == []
    assert load(text.replace("over = 1", 'over = "never"'))[1] == ["campaign: adjudicated_over changed"]
    campaign.refresh_from_db()
    assert campaign.adjudicated_over is None


def test_who_reviews_may_change_after_the_first_dialogue_and_the_rules_of_dialogues_may_not(dialogue):
    assert load(SMALL_CAMPAIGN.replace('by = "self"', 'by = "panel"'))[1] == ["campaign: by, counted changed"]
    for line in (
        'opened_by = "bot"',
        "bot_may_end = false",
        "sends_goal = true",
        'language = "en"',
        'turns_are = "utterances"',
        'context_message = ""',
    ):
        with pytest.raises(BadFile) as bad:
            load(SMALL_CAMPAIGN.replace("[campaign]", f"[campaign]\n{line}"))
        assert str(bad.value).startswith(f"[campaign] {line.split()[0]}: cannot be changed")


def test_whose_scores_count_is_checked_against_who_scores_in_the_stored_campaign(campaign):
    counted = SMALL_CAMPAIGN.replace('by = "self"', 'counted = "panel"')
    with pytest.raises(BadFile, match='counted: is "panel", but by = "self" gives no such scores'):
        load(counted)
    load(SMALL_CAMPAIGN.replace('by = "self"', 'by = "both"'))
    load(counted)
    campaign.refresh_from_db()
    assert (campaign.reviewed_by, campaign.counted_reviews) == ("both", "panel")


def test_a_campaign_that_only_collects_dialogues_asks_nobody_for_scores(campaign):
    load(SMALL_CAMPAIGN.replace('by = "self"', 'by = "nobody"'))
    campaign.refresh_from_db()
    assert (campaign.counted_reviews, campaign.testers_score, campaign.panels_score) == ("nobody", False, False)


def test_free_choice_is_a_plan_too(campaign):
    text = SMALL_CAMPAIGN.replace("free_choice = true\n", "")
    assert load(text + '[plan]\nkind = "free"\n')[1] == []
    assert load(text + '[plan]\nkind = "full"\n')[1] == ["campaign: free_choice changed", "1 assignments drawn"]
    assert load(text + '[plan]\nkind = "free"\n')[1] == ["campaign: free_choice changed"]


OWN_RUBRIC = """
[ranking]
keys = ["effort"]
[rubric]
key = "own"
name = "own"
[[rubric.criteria]]
key = "effort"
letter = "Ef"
name = "effort"
better = "lower"
points = [{score = 1, label = "little"}, {score = 2, label = "much"}]
"""


def test_a_campaign_may_have_a_rubric_and_a_rule_of_its_own(campaign):
    _, changes = load(SMALL_CAMPAIGN + OWN_RUBRIC)
    assert changes == ["campaign: rubric smp2018 v1 → own v1", f"campaign: ranking rule {SMP2018} → effort"]
    assert load(SMALL_CAMPAIGN + OWN_RUBRIC)[1] == []
    wider = OWN_RUBRIC.replace("}]", '}, {score = 3, label = "too much"}]')
    assert load(SMALL_CAMPAIGN + wider)[1] == ["campaign: rubric own v1 → own v2"]
    campaign.refresh_from_db()
    assert campaign.ranking_keys() == (RankingKey("effort", "lower"),)


def test_once_begun_a_file_cannot_say_another_rubric_or_rule(dialogue, campaign):
    with pytest.raises(BadFile) as bad:
        load(SMALL_CAMPAIGN + OWN_RUBRIC)
    assert [problem.place for problem in bad.value.problems] == ["[rubric]", "[ranking] keys"]
    campaign.refresh_from_db()
    assert str(campaign.rubric) == "smp2018 v1"
    assert load(SMALL_CAMPAIGN + f"[ranking]\nkeys = {json.dumps(campaign.ranking_rule)}\n")[1] == []


def test_skill_and_items_of_a_scenario_are_stored_and_fixed_by_its_first_dialogue(campaign, tester):
    new = SMALL_CAMPAIGN.replace("facts = {", 'skill = "booking"\nitems = ["靠窗", "含早餐"]\nfacts = {')
    assert load(new)[1] == ["scenario flight-then-hotel: skill, items changed"]
    scenario = campaign.scenarios.get()
    assert (scenario.skill, scenario.items) == ("booking", ["靠窗", "含早餐"])
    open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=scenario, at=timezone.now()
    )
    with pytest.raises(BadFile, match=r"\[\[scenarios\]\] 1: cannot be changed"):
        load(new.replace("靠窗", "靠过道"))
