"""manage.py load_campaign: what it knows of dialogues when it draws."""

import json
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command

from tests.campaigns.test_assigning import DRAWN_CAMPAIGN, drawn
from tests.conftest import SMALL_CAMPAIGN
from tests.organizing.test_views import close, open_first

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db
# As `drawn`: two testers per bot and scenario.
PLAN = '[plan]\nkind = "per_cell"\ntesters_per_cell = 2\n'


@pytest.mark.parametrize(("status", "n_drawn"), [("void", 8), ("completed", 7)])
def test_what_a_leaver_did_for_nothing_is_drawn_for_others(drawn, tmp_path, capsys, status, n_drawn):
    close(open_first(drawn, "tester-2"), status)
    without_one = DRAWN_CAMPAIGN.replace('[[people]]\nusername = "tester-2"\nroles = ["tester"]\n', "") + PLAN
    file = tmp_path / "campaign.toml"
    file.write_text(without_one)
    call_command("load_campaign", str(file), "--prune")
    said = capsys.readouterr().err
    assert f"{n_drawn} assignments drawn" in said
    assert "7 assignments taken away that had not begun" in said


def test_a_new_campaign_has_nothing_to_be_done_again(db, tmp_path, capsys):
    file = tmp_path / "campaign.toml"
    file.write_text(DRAWN_CAMPAIGN + PLAN)
    call_command("load_campaign", str(file))
    assert "32 assignments drawn" in capsys.readouterr().err


def load(tmp_path, capsys, text, *options):
    file = tmp_path / "campaign.toml"
    file.write_text(text)
    call_command("load_campaign", str(file), *options)
    return capsys.readouterr().err.splitlines()


def test_a_dry_run_says_what_would_change_and_what_pruning_would_where_that_is_asked(campaign, tmp_path, capsys):
    text = SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 7")
    text = text.replace('[[people]]\nusername = "tester"\nroles = ["tester"]\n', "")
    assert load(tmp_path, capsys, text, "--dry-run") == [
        "Nothing is stored. This would change:",
        "left alone: role tester of tester, no longer in the file; only pruning takes it back",
        "campaign: reply_deadline_s changed",
    ]
    assert load(tmp_path, capsys, text, "--dry-run", "--prune") == [
        "Nothing is stored. This would change:",
        "campaign: reply_deadline_s changed",
        "person tester: role tester taken back",
    ]
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 5
    assert load(tmp_path, capsys, text, "--prune") == [
        "campaign: reply_deadline_s changed",
        "person tester: role tester taken back",
    ]


def test_a_dry_run_says_what_dialogues_would_keep_from_being_pruned(dialogue, tmp_path, capsys):
    text = SMALL_CAMPAIGN.replace('key = "a"\nteam = "Team Alpha"', 'key = "b"\nteam = "Team Beta"')
    assert load(tmp_path, capsys, text, "--dry-run")[0] == "Nothing is stored. This would change:"
    with pytest.raises(CommandError, match=r"\[\[bots\]\] a: is gone from the file, but dialogues or records need it"):
        load(tmp_path, capsys, text, "--dry-run", "--prune")


def test_what_was_made_in_the_browser_is_taken_over_when_asked(campaign, tmp_path, capsys):
    campaign.scenarios.update(origin="page")
    text = SMALL_CAMPAIGN.replace("帮我订一张", "请订一张")
    with pytest.raises(CommandError, match=r"\[\[scenarios\]\] 1 key: scenario flight-then-hotel was made or changed"):
        load(tmp_path, capsys, text)
    assert load(tmp_path, capsys, text, "--take-over") == [
        "scenario flight-then-hotel: taken over from the browser",
        "scenario flight-then-hotel: opening changed",
    ]


def test_a_dry_run_gives_no_tokens(campaign, tmp_path, capsys):
    with pytest.raises(CommandError, match="stores nothing"):
        load(tmp_path, capsys, SMALL_CAMPAIGN, "--dry-run", "--print-tokens")


def test_links_set_the_passwords_of_those_who_have_none(campaign, organizer, tmp_path, capsys, client):
    organizer.set_password("a long and good one")
    organizer.save()
    file = tmp_path / "campaign.toml"
    file.write_text(SMALL_CAMPAIGN + '\n[[people]]\nusername = "robot"\nkind = "program"\nroles = ["tester"]\n')
    call_command("load_campaign", str(file), "--print-links")
    links = json.loads(capsys.readouterr().out)
    assert set(links) == {"participant", "reviewer", "tester"}
    path = urlsplit(links["tester"]).path
    client.post(path, {"new_password1": "a long and good one", "new_password2": "a long and good one"})
    assert campaign.roles.get(person__username="tester").person.check_password("a long and good one")
