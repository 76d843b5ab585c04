"""A participant of Team Alpha at a browser, another team with a system of its own, and a talk that went wrong."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import register_bot
from campaigns.models import Role, TeamMember
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team

SAID = "帮我订一张从北京到上海的飞机票"


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


@pytest.fixture
def browser(participant):
    return client_of(participant)


@pytest.fixture
def other_entry(campaign):
    form = read_bot({"name": "Rival", "url": "https://rival.example.com/", "secret": "theirs"}, ADAPTERS)
    team = Team.objects.create(name="Team Beta")
    return register_bot(campaign=campaign, team=team, form=form, by=None, at=timezone.now())


@pytest.fixture
def rival(campaign, other_entry):
    person = Person.objects.create_user("rival")
    campaign.roles.create(person=person, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, team=other_entry.bot.team, person=person)
    return client_of(person)
