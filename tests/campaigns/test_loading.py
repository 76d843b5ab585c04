"""Loading a campaign file again: what it says is done and told; what it does not say stays."""

from dataclasses import replace

import pytest

from accounts.models import Person
from automatic_tasks.visibility import team_of
from campaigns.actions import load_campaign
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
SMP2018 = "completion, mean_turns, satisfaction, fluency, guidance"


def load(text):
    return load_campaign(spec=spec_of(text))


def test_a_published_board_is_not_withdrawn_by_silence(campaign):
    campaign.is_published = True
    campaign.save()
    assert load(SMALL_CAMPAIGN)[1] == []
    campaign.refresh_from_db()
    assert campaign.is_published
    _, changes = load(SMALL_CAMPAIGN.replace("[campaign]", "[campaign]\npublished = false"))
    assert changes == ["campaign: published changed"]


def test_true_in_the_place_of_one_is_a_change():
    text = '[campaign]\nslug = "x"\nname = "x"\n[[bots]]\nkey = "a"\nteam = "A"\noptions = {n = %s}\n'
    text += '[[scenarios]]\nkey = "s"\nfacts = {n = [%s]}\nsubtasks = [{kind = "f"}]\n'
    campaign, _ = load(text % (1, 1))
    assert load(text % ("true", 1))[1] == ["bot a: options changed"]
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
    _, changes = load(SMALL_CAMPAIGN.replace('roles = ["participant"]\nteam = "Team Alpha"', 'roles = ["participant"]'))
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


def test_a_person_who_is_no_longer_listed_loses_roles_and_team(campaign, participant):
    gone = SMALL_CAMPAIGN.partition('[[people]]\nusername = "participant"')[0]
    _, changes = load(gone)
    assert changes == ["roles and teams of people who are no longer listed taken back"]
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


def test_another_preset_brings_its_rubric_and_ranking_rule_until_the_campaign_has_begun(campaign):
    _, changes = load(SMALL_CAMPAIGN.replace('preset = "smp2018"', 'preset = "seretod2022"'))
    assert changes == [
        "campaign: preset changed",
        "campaign: rubric smp2018 v1 → seretod2022 v1",
        f"campaign: ranking rule {SMP2018} → success, coherence, fluency",
    ]
    campaign.refresh_from_db()
    assert campaign.ranking_rule == ["success", "coherence", "fluency"]
