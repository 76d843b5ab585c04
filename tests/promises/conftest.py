"""One world for all tests of a module, built once; what a test writes into it is undone."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import Person
from automatic_tasks.models import Run
from campaigns.actions import load_campaign
from campaigns.models import Campaign, Role
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue
from publication.models import Snapshot
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.publishing import snapshot_of
from tests.world import noted_client_of, people, undone, values_of, waiting_run

__all__ = ["people"]


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """A dialogue under way, a waiting run, a frozen snapshot, and what else paths name."""
    folder = tmp_path_factory.mktemp("world")
    with django_db_blocker.unblock(), override_settings(VAR_DIR=folder), undone():
        campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
        tester = Person.objects.get(username="tester")
        dialogue = open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(), at=timezone.now()
        )  # fmt: skip
        run = waiting_run(campaign)
        snapshot_of(campaign, has_bundle=True)
        values_of(dialogue, run)
        yield


@pytest.fixture
def db(world) -> Iterator[None]:
    """Takes the place of `db` where the world is shared."""
    with undone():
        yield


@pytest.fixture
def campaign(db) -> Campaign:
    return Campaign.objects.get(slug="small")


@pytest.fixture
def dialogue(db) -> Dialogue:
    return Dialogue.objects.select_related("assignment__campaign", "assignment__entry").get()


@pytest.fixture
def run(db) -> Run:
    return Run.objects.select_related("task__campaign", "team").get()


@pytest.fixture
def frozen(db) -> Snapshot:
    return Snapshot.objects.get()


@pytest.fixture
def with_roles(campaign, dialogue, run) -> Callable[[frozenset[str]], Client]:
    """A client of somebody who holds all of these roles at once: who gets in by one of them gets in."""

    @cache
    def client_with(roles):
        person = Person.objects.create_user("-".join(["with", *sorted(roles)]))
        for role in roles:
            campaign.roles.create(person=person, role=role)
        if Role.PARTICIPANT in roles:
            campaign.team_members.create(person=person, team=run.team)
        return noted_client_of(person)

    return client_with
