"""What a team has to do next, per campaign."""

import pytest
from django.utils import timezone

from campaigns.models import TeamMember
from frame.next_steps import TeamStanding, team_standings
from participants.models import Team
from registration.actions import accept_agreement, write_agreement

pytestmark = pytest.mark.django_db


def standing(campaign, person):
    return team_standings(person, [campaign]).get(campaign.pk)


def write(campaign, text):
    return write_agreement(campaign=campaign, text_zh=text, text_en="", by=None, at=timezone.now())


def test_an_agreement_waits_until_the_team_has_accepted_the_latest_version(campaign, participant):
    team = Team.objects.get(name="Team Alpha")
    assert standing(campaign, participant) == TeamStanding(n_bots=1, must_agree=False)
    for text, must_agree in (("一", True), ("二", True), ("", False)):
        version = write(campaign, text).version
        assert standing(campaign, participant).must_agree is must_agree
        if must_agree:
            accept_agreement(campaign=campaign, team=team, person=participant, version=version, at=timezone.now())
            assert not standing(campaign, participant).must_agree


def test_a_team_without_a_system_is_asked_for_one_and_nobody_without_a_team(campaign, participant, tester):
    TeamMember.objects.update(team=Team.objects.create(name="Team Beta"))
    assert standing(campaign, participant).n_bots == 0
    assert standing(campaign, tester) is None
