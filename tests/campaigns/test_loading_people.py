"""People of a campaign file: roles and teams of the browser stay, those that are gone leave only to pruning."""

import pytest

from accounts.models import Person
from campaigns.actions import load_campaign, load_file
from campaigns.models import Campaign
from participants.models import Team
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
WITHOUT_TESTER = SMALL_CAMPAIGN.replace('[[people]]\nusername = "tester"\nroles = ["tester"]\n', "")


def load(text, **asked):
    report = load_file(spec=spec_of(text), **asked).report
    return report.changes, [left.in_english for left in report.left_alone]


def test_a_role_that_leaves_the_file_stays_until_a_load_prunes(campaign, tester):
    gone = "left alone: role tester of tester, no longer in the file; only pruning takes it back"
    assert load(WITHOUT_TESTER) == ([], [gone])
    assert campaign.roles.filter(person=tester).exists()
    assert load(WITHOUT_TESTER, prunes=True) == (["person tester: role tester taken back"], [])
    assert not campaign.roles.filter(person=tester).exists()


def test_roles_and_teams_of_the_browser_are_left_alone_and_named(campaign, tester, outsider):
    campaign.roles.create(person=outsider, role="reviewer")
    campaign.roles.create(person=tester, role="reviewer")
    campaign.team_members.create(person=outsider, team=Team.objects.create(name="Own"))
    assert load(SMALL_CAMPAIGN, prunes=True) == (
        [],
        [
            "left alone: role reviewer of outsider, given in the browser",
            "left alone: role reviewer of tester, given in the browser",
            "left alone: team Own of outsider, chosen in the browser",
        ],
    )


def test_a_team_that_was_chosen_in_the_browser_is_a_problem_until_it_is_taken_over(campaign, tester):
    campaign.team_members.create(person=tester, team=Team.objects.create(name="Own"))
    text = SMALL_CAMPAIGN.replace('roles = ["tester"]', 'roles = ["tester"]\nteam = "Team Beta"')
    text = text.replace("free_choice = true", 'free_choice = true\nmembers_may_judge = "others"')
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("free_choice", 'members_may_judge = "others"\nfree_choice')))
    with pytest.raises(BadFile) as bad:
        load(text)
    assert [str(problem) for problem in bad.value.problems] == [
        "[[people]] 2 team: tester takes part for Own, as was chosen in the browser; change it there, "
        "or let the file take it over"
    ]
    assert load(text, takes_over=True)[0] == ["person tester: team Own → Team Beta"]
    assert load(text) == ([], [])


def test_a_role_that_the_file_names_twice_is_given_once(db):
    text = SMALL_CAMPAIGN.replace('roles = ["tester"]', 'roles = ["tester", "tester"]')
    assert load(text)[0].count("person tester: tester") == 1
    assert load(text) == ([], [])


@pytest.mark.django_db
def test_a_pruned_file_keeps_the_last_organizer(campaign):
    without = SMALL_CAMPAIGN.replace('[[people]]\nusername = "organizer"\nroles = ["organizer"]\n', "")
    with pytest.raises(BadFile, match="last organizer"):
        load_campaign(spec=spec_of(without), prunes=True)
    assert campaign.roles.filter(role="organizer").count() == 1


@pytest.mark.parametrize("came_by", [Person.CameBy.APPLICATION, Person.CameBy.INVITATION])
def test_an_account_whose_owner_chose_its_name_gets_nothing_from_a_file(campaign, tester, came_by):
    """Whoever applies or is invited chooses a user name: the one that the next file makes an organizer, too."""
    squatter = Person.objects.create(username="zhang", came_by=came_by)
    text = SMALL_CAMPAIGN + '[[people]]\nusername = "zhang"\nroles = ["organizer"]\nteam = "Team Beta"\n'
    # A role elsewhere is one that this campaign's organizers did not give.
    other = Campaign.objects.create(slug="other", rubric=campaign.rubric)
    other.roles.create(person=squatter, role="participant")
    with pytest.raises(BadFile) as bad:
        load(text)
    assert [str(problem) for problem in bad.value.problems] == [
        "[[people]] 5 username: zhang is an account whose owner chose its name: invite them into this campaign, "
        "or let the file take it over"
    ]
    assert not campaign.roles.filter(person=squatter).exists()
    assert not campaign.team_members.filter(person=squatter).exists()
    assert load(text, takes_over=True)[0][:2] == ["person zhang: account taken over", "person zhang: organizer"]
    assert load(text) == ([], [])


def test_an_account_that_made_itself_and_has_a_role_here_may_get_another_from_a_file(campaign):
    captain = Person.objects.create(username="captain", came_by=Person.CameBy.APPLICATION)
    campaign.roles.create(person=captain, role="participant")
    text = SMALL_CAMPAIGN + '[[people]]\nusername = "captain"\nroles = ["participant", "tester"]\n'
    assert "person captain: tester" in load(text)[0]


@pytest.mark.parametrize("role", ["expert", "adjudicator"])
def test_a_file_lets_no_program_decide(campaign, role):
    text = SMALL_CAMPAIGN + f'\n[[people]]\nusername = "robot"\nkind = "program"\nroles = ["tester", "{role}"]\n'
    with pytest.raises(BadFile) as bad:
        load(text)
    (problem,) = bad.value.problems
    assert str(problem).endswith("roles: robot is a program's account: only people can be experts or adjudicators")
    assert not Person.objects.filter(username="robot").exists()
    load(text.replace(f', "{role}"', ""))
    with pytest.raises(BadFile):
        load(text.replace('kind = "program"\n', ""))
