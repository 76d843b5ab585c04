"""A team applies for a place; an organizer answers, once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.access import team_of
from campaigns.calendar import NotNow
from campaigns.models import Role
from dialogues.queries import masked_words
from participants.limits import REASON_LIMIT
from participants.models import Team
from registration.actions import (
    approve_application,
    refuse_application,
    withdraw_application,
)
from registration.models import Application
from serving.refused import Refused
from tests.registration.conftest import apply

pytestmark = pytest.mark.django_db


def refused(act, *given, **named):
    with pytest.raises(Refused) as not_possible:
        act(*given, **named)
    return not_possible.value.code


def approve(application, by=None, **named):
    return approve_application(application=application, by=by, at=timezone.now(), **named)


def refuse(application, because, by=None):
    return refuse_application(application=application, by=by, because=because, at=timezone.now())


def acts():
    return [
        (line.act, line.person, line.about, line.because)
        for line in TrailLine.objects.filter(act__startswith="team.").order_by("number")
    ]


def test_an_approved_applicant_takes_part_for_the_team(application, outsider, organizer):
    approve(application, organizer)
    campaign = application.campaign
    team = team_of(outsider, campaign)
    assert (team.name, team.name_en) == ("北辰队", "Polaris")
    assert list(campaign.roles.filter(person=outsider).values_list("role", flat=True)) == [Role.PARTICIPANT]
    stored = Application.objects.get()
    assert (stored.state, stored.answered_by, stored.team) == ("approved", organizer, team)
    assert stored.members == ["wang", "li@example.org"]
    assert acts() == [
        ("team.applied", "outsider", "北辰队", ""),
        ("team.approved", "organizer", "北辰队", ""),
    ]


def test_both_names_of_a_team_are_masked(application):
    approve(application)
    assert {"北辰队", "Polaris"} <= set(masked_words(application.campaign))


def test_a_refusal_needs_a_reason_and_the_applicant_may_apply_again(application, outsider, organizer):
    for said in (" ", "x" * (REASON_LIMIT + 1)):
        assert refused(refuse, application, said) == "no_reason"
    refuse(application, "二十支队已满", organizer)
    stored = Application.objects.get()
    assert (stored.state, stored.because) == ("refused", "二十支队已满")
    assert team_of(outsider, application.campaign) is None
    assert acts()[-1] == ("team.refused", "organizer", "北辰队", "二十支队已满")
    assert apply(application.campaign, outsider).state == "waiting"


def test_an_application_is_answered_once(application, outsider):
    approve(application)
    assert refused(approve, application) == "answered"
    assert refused(refuse, application, "no") == "answered"
    assert refused(withdraw_application, application=application, at=timezone.now()) == "answered"
    assert len(acts()) == 2


def test_one_application_is_open_per_person(application, open_campaign, outsider):
    assert refused(apply, open_campaign, outsider) == "waiting"
    with pytest.raises(IntegrityError), transaction.atomic():
        Application.objects.create(
            campaign=open_campaign,
            applicant=outsider,
            name_zh="x",
            affiliation="x",
            contact="x",
            applied_at=timezone.now(),
        )
    withdraw_application(application=application, at=timezone.now())
    assert apply(open_campaign, outsider).pk != application.pk


def test_nobody_applies_where_nobody_may_or_who_is_in_a_team(open_campaign, outsider, participant):
    assert refused(apply, open_campaign, participant) == "in_a_team"
    open_campaign.takes_applications = False
    open_campaign.save()
    assert refused(apply, open_campaign, outsider) == "closed"


def test_nobody_applies_after_the_registration(open_campaign, outsider):
    open_campaign.registration_until = timezone.now() - timedelta(days=1)
    open_campaign.save()
    with pytest.raises(NotNow, match=r"Registration closed on|报名"):
        apply(open_campaign, outsider)


def test_nobody_gets_into_a_team_by_its_name_alone(open_campaign, outsider):
    application = apply(open_campaign, outsider, name_zh="Team Alpha")
    assert refused(approve, application) == "team_exists"
    assert team_of(outsider, open_campaign) is None
    assert approve(application, joins=True) == Team.objects.get(name="Team Alpha")


def test_a_team_of_another_campaign_is_not_taken_for_the_one_that_applies(open_campaign, outsider):
    elsewhere = Team.objects.create(name="北辰队", name_en="North")
    team = approve(apply(open_campaign, outsider))
    assert (team == elsewhere, team.name, team.name_en) == (False, "北辰队", "Polaris")


def test_who_got_a_team_meanwhile_is_not_moved(application, outsider):
    team = Team.objects.create(name="Elsewhere")
    application.campaign.team_members.create(team=team, person=outsider)
    assert refused(approve, application) == "in_a_team"
    assert team_of(outsider, application.campaign) == team
    assert not Team.objects.filter(name="北辰队").exists()


def test_an_applicant_of_one_campaign_is_nobody_in_another(application):
    approve(application)
    assert Person.objects.get(username="outsider").campaign_roles.exclude(campaign=application.campaign).count() == 0
