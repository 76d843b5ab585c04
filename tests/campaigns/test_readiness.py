"""What a loaded campaign lacks is told by the load, and stops nothing."""

import pytest
from django.core.management import call_command

from campaigns.actions import load_campaign
from campaigns.readiness import what_is_missing
from tests.conftest import SELF_SCORED, SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
MSDE = (
    SMALL_CAMPAIGN.replace(SELF_SCORED, "")
    .replace('"smp2018"', '"msde"')
    .replace(", turn_cap = 3", "")
    .replace(", turn_cap = 2", "")
)
MSDE = MSDE.replace("facts = {", 'skill = "persona"\nfacts = {')
PEOPLE = "".join(
    f'[[people]]\nusername = "{role}-{n}"\nroles = ["{role}"]\n' for role in ("expert", "reviewer") for n in range(3)
)


def lacks_of(text: str) -> list[str]:
    campaign, _ = load_campaign(spec=spec_of(text))
    return [finding.in_english for finding in what_is_missing(campaign)]


def test_a_campaign_without_a_panel_lacks_nothing():
    assert lacks_of(SMALL_CAMPAIGN) == []


def test_too_few_people_and_skills_without_scenarios_are_named():
    quota = [
        f"[plan] quota: no scenario has the skill “{skill}”" for skill in ("chit-chat", "knowledge", "recommendation")
    ]
    never = "[rubric]: criterion recommendation is never asked for: no scenario has its skill"
    assert lacks_of(MSDE) == [
        "[reviewing] experts: 3 experts vet each dialogue, but there are 0: no dialogue will count",
        "[reviewing] reviewers: Each dialogue needs 3 reviewers; there are 1.",
        *quota,
        never,
    ]
    assert lacks_of(MSDE + PEOPLE) == [*quota, never]
    assert lacks_of(MSDE + PEOPLE + "[plan]\nquota = {persona = 2}\n") == [never]


def test_without_an_adjudicator_the_mean_stands():
    text = SMALL_CAMPAIGN.replace('by = "self"', 'by = "panel"\nreviewers = 1\nadjudicated_over = 1')
    assert lacks_of(text) == [
        "[reviewing] adjudicated_over: there is no adjudicator: where a panel differs, the mean stands"
    ]
    assert lacks_of(text + '[[people]]\nusername = "a"\nroles = ["adjudicator"]\n') == []


def test_the_command_says_what_is_missing_and_loads(tmp_path, capsys):
    file = tmp_path / "campaign.toml"
    file.write_text(MSDE)
    call_command("load_campaign", str(file))
    assert "missing: [reviewing] experts: 3 experts vet each dialogue" in capsys.readouterr().err
    call_command("load_campaign", str(file))
    said = capsys.readouterr().err
    assert said.startswith("nothing to change\nmissing: [reviewing] experts")
