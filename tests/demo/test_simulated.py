"""The demo's comparison of people with a model: it is filled by what was really said, stands apart, and goes on where it was broken off."""

import io
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import translation

from accounts.models import Person
from campaigns.models import Entry
from demo.management.commands.demo import MODELS_FILE, Command
from demo.people import MODELS
from demo.sample_bots import SAMPLE_BOTS, SCRIPTED_MODEL
from demo.simulated import simulate_and_judge
from dialogues.models import Dialogue
from frame.campaign_rows import own_rows
from judging.models import JudgeReport, JudgeReview
from reviews.models import Review
from simulation.actions import note_begun
from simulation.boards import people_and_programs
from simulation.models import SimulatedDialogue

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def campaign():
    """Three systems, four scenarios."""
    return Command(stderr=io.StringIO()).load_campaign(MODELS_FILE)


def test_a_model_talked_and_judged_beside_people_and_counts_nowhere(campaign, client):
    simulate_and_judge(campaign, AT)
    found = people_and_programs(campaign)
    assert [(one.people.n, one.programs.n) for one in found.systems] == [(4, 4)] * 3
    # Scripted people and the model book everything with the bot that understands them.
    assert (found.systems[0].people.completion, found.systems[0].programs.completion) == (1.0, 1.0)
    assert all(one.kendall is not None for one in found.agreements)
    assert JudgeReview.objects.filter(state="done").count() == 12
    report = JudgeReport.objects.get().content
    assert all(one["n_compared"] == 12 for one in report["criteria"].values())
    assert not Review.objects.filter(reviewer__kind=Person.Kind.PROGRAM).exists()
    assert not Review.objects.filter(dialogue__origin=Dialogue.Origin.PROGRAM).exists()
    assert Dialogue.objects.filter(tester__kind=Person.Kind.PROGRAM).count() == 0
    assert Review.objects.filter(is_counted=True).count() == 12
    organizer = Person.objects.get(username="organizer")
    # Nothing of it presses: the demo's own campaign stays the first in the organizer's list.
    assert [row.first_to_do for row in own_rows(organizer)] == [None]
    client.force_login(organizer)
    with translation.override("en"):
        for page in ("programs", "judges", "leaderboard"):
            assert client.get(reverse(page, args=[MODELS])).status_code == 200


def test_what_was_broken_off_goes_on_and_what_is_done_stays(campaign, monkeypatch):
    def breaks(**named):
        if SimulatedDialogue.objects.count() == 3:
            raise KeyboardInterrupt
        return note_begun(**named)

    with monkeypatch.context() as patched:
        patched.setattr("demo.simulated.note_begun", breaks)
        with pytest.raises(KeyboardInterrupt):
            simulate_and_judge(campaign, AT)
    simulate_and_judge(campaign, AT)
    assert (Dialogue.with_programs.count(), SimulatedDialogue.objects.count()) == (24, 12)
    assert not Dialogue.with_programs.open().exists()
    simulate_and_judge(campaign, AT)
    assert (Dialogue.with_programs.count(), JudgeReport.objects.count()) == (24, 1)


def test_its_systems_and_its_model_are_the_samples_of_the_demo(campaign):
    assert dict(Entry.objects.values_list("key", "url")) == {bot.key: bot.url for bot in SAMPLE_BOTS}
    assert campaign.model_endpoints.get().url == SCRIPTED_MODEL.url
    assert campaign.slug == MODELS
