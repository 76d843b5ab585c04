import pytest
from django.utils import timezone

from dialogues.pauses import shown_pause

pytestmark = pytest.mark.django_db


def test_names_of_teams_are_blotted_out_of_the_reason(campaign, tester):
    campaign.roles.filter(person=tester).update(paused_at=timezone.now(), paused_because="Team Alpha complained")
    pause = shown_pause(tester, campaign, "tester")
    assert "complained" in pause.paused_because
    assert "Alpha" not in pause.paused_because


def test_who_does_not_pause_is_shown_nothing(campaign, tester):
    assert shown_pause(tester, campaign, "tester") is None
