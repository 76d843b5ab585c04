"""Each thing that can change what needs a person beats in the pulse."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.actions import record
from automatic_tasks.models import Run, RunState, Service
from automatic_tasks.runs.queue import PRESENT_FOR, report_presence
from campaigns.trail_acts import PERSON_PAUSED
from dialogues.models import Outage, Problem
from organizing.wall import pulse
from organizing.wall.pulse import Pulse
from participants.models import Team
from publication.models import FreezeOrder
from registration.models import DialKey
from reviews.trail_acts import SCORES_HANDED_IN
from tests.world import run

__all__ = ["run"]

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def beats(campaign, monkeypatch):
    monkeypatch.setattr(pulse, "data_version", lambda: None)
    one = Pulse(campaign.pk)
    assert one.has_changed()
    assert not one.has_changed()
    return one


def test_scores_are_told_from_other_acts(beats, campaign, organizer):
    record(SCORES_HANDED_IN, by=organizer, at=NOW, campaign=campaign.slug)
    assert (beats.has_changed(), beats.is_of_reviewers) == (True, True)
    record(SCORES_HANDED_IN, by=organizer, at=NOW, campaign="another")
    assert not beats.has_changed()
    record(PERSON_PAUSED, by=organizer, at=NOW, campaign=campaign.slug)
    record(SCORES_HANDED_IN, by=organizer, at=NOW, campaign=campaign.slug)
    assert (beats.has_changed(), beats.is_of_reviewers) == (True, False)


def test_what_happens_by_itself_beats(beats, campaign, dialogue, tester, run):
    entry, task = campaign.entries.get(), campaign.automatic_tasks.get()
    service = Service.objects.create(
        task=task, team=Team.objects.get(name="Team Alpha"), url="https://service.example.com/"
    )
    assert beats.has_changed()
    key = DialKey.objects.create(entry=entry, digest="x", made_at=NOW)
    order = FreezeOrder.objects.create(campaign=campaign, asked_at=NOW, hides_teams=True, next_at=NOW)
    Run.objects.update(state=RunState.SCORED, finished_at=None)
    taken = {"taken_at": NOW, "protocol": "x", "url": "x", "answers": [["x"]]}
    assert beats.has_changed()
    for happens in (
        lambda: Problem.objects.create(dialogue=dialogue, reported_by=tester, text="x", at=NOW),
        lambda: Outage.objects.create(process="x", began_at=NOW, until=NOW),
        lambda: DialKey.objects.filter(pk=key.pk).update(connected_at=NOW),
        lambda: DialKey.objects.filter(pk=key.pk).update(left_at=NOW),
        lambda: FreezeOrder.objects.filter(pk=order.pk).update(failure="no space"),
        order.delete,
        lambda: campaign.automatic_tasks.update(n_board_troubles=1),
        lambda: Run.objects.update(state=RunState.QUEUED),
        lambda: Run.objects.update(state=RunState.FAILED),
        lambda: Run.objects.update(finished_at=NOW),
        lambda: report_presence(worker="x", at=timezone.now()),
        lambda: report_presence(worker="x", at=timezone.now() - PRESENT_FOR - timedelta(seconds=5)),
        lambda: entry.fingerprints.create(**taken),
        lambda: service.fingerprints.create(**taken),
        lambda: campaign.entries.update(green_at=NOW),
    ):
        happens()
        assert (beats.has_changed(), beats.is_of_reviewers) == (True, False)
        assert not beats.has_changed()


def test_nothing_is_asked_while_nobody_commits(campaign, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(pulse, "data_version", lambda: 1)
    one = Pulse(campaign.pk)
    assert one.has_changed()
    with django_assert_num_queries(0):
        assert not one.has_changed()
