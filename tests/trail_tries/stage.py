"""The small campaign, with what routes need."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import LogIn, Person
from automatic_tasks.actions import load_tasks
from automatic_tasks.task_file import read_task_file
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from reviews.actions.deciding import void_dialogue
from reviews.actions.placing import draw_review_places
from tests.publication.conftest import add_records, record
from tests.reviews.conftest import closed_dialogue, panel, person, submit
from tests.scoring.conftest import content_of

PASSWORD, OTHER_PASSWORD = "a long enough one", "another long one"


class Stage:
    """The small campaign with whatever a route needs; a try builds only what it asks for."""

    def __init__(self, campaign: Campaign, request: pytest.FixtureRequest) -> None:
        self.campaign = campaign
        self.request = request
        self.now = timezone.now()
        # Whoever a try is by is logged in here when it is used.
        self.client = Client(raise_request_exception=True)

    def fixture(self, name: str) -> Any:
        return self.request.getfixturevalue(name)

    def person(self, name: str) -> Person:
        return Person.objects.get(username=name)

    def log_in(self, name: str) -> None:
        """Whom a try is by is logged in, with a password that works; nobody for a try by nobody."""
        if not name:
            return
        someone = self.person(name)
        if not someone.has_usable_password():
            someone.set_password(PASSWORD)
            someone.save()
        self.client.force_login(someone)

    @property
    def alias(self) -> str:
        return self.campaign.entries.get().alias

    def with_plan(self) -> None:
        """Testers no longer choose freely: there is a plan to draw."""
        Campaign.objects.filter(pk=self.campaign.pk).update(free_choice=False)
        self.campaign.refresh_from_db()

    def scored(self) -> Any:
        """A dialogue that a panel of two has scored once, the other reviewer being gone."""
        reviewer, other = panel(self.campaign, 2)
        self.campaign.roles.filter(person=other).delete()
        dialogue = closed_dialogue(self.campaign, self.person("tester"))
        draw_review_places(campaign=self.campaign, at=self.now)
        submit(dialogue, reviewer, at=self.now)
        return dialogue

    def to_score(self) -> Any:
        panel(self.campaign, 1)
        dialogue = closed_dialogue(self.campaign, self.person("tester"))
        draw_review_places(campaign=self.campaign, at=self.now)
        return dialogue

    def voided(self) -> Any:
        return (
            void_dialogue(dialogue=self.scored(), by=self.person("organizer"), because="broken", at=self.now)
            and Dialogue.objects.get()
        )

    def assignment(self) -> Any:
        """One of the tester that has not begun, with somebody else who tests."""
        person(self.campaign, "substitute", Role.TESTER)
        return self.campaign.assignments.create(
            tester=self.person("tester"),
            entry=self.campaign.entries.get(),
            scenario=self.campaign.scenarios.get(),
            position=1,
        )

    def other_log_in(self) -> Any:
        """The organizer is logged in somewhere else."""
        organizer = self.person("organizer")
        organizer.set_password(PASSWORD)
        organizer.save()
        Client().post("/login/", {"username": "organizer", "password": PASSWORD})
        return LogIn.objects.get(person=organizer)

    def invitation(self) -> str:
        """The token of an invitation to review."""
        invitee = Invitee(line=1, name="Li", email="", roles=(Role.REVIEWER,), team="")
        (invited,) = invite(campaign=self.campaign, invitees=[invitee], by=None, at=self.now)
        return invited.token

    def with_records(self) -> None:
        """A leaderboard that can be frozen."""
        add_records(self.campaign, *(record("Team Alpha", number, True, 2) for number in range(1, 5)))
        refresh_leaderboard(campaign=self.campaign, at=self.now)

    def service_task(self) -> None:
        """The automatic task calls a service; the files of its type are of no use to it."""
        text = 'campaign = "small"\n[[tasks]]\nkey = "quality"\ntype = "intent-classification"\nname = "x"\n'
        text += 'gold = "intent-classification/gold.jsonl"\n'
        load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of)
