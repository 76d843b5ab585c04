"""manage.py load_campaign: what it knows of dialogues when it draws."""

import pytest
from django.core.management import call_command

from tests.campaigns.test_assigning import DRAWN_CAMPAIGN, drawn
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
