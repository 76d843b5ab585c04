"""Where needs are read from: a row in each room becomes one of them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from automatic_tasks.models import Run, RunState, Service
from campaigns.actions.people import pause_person, resume_person
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, Problem
from organizing.wall.needs import Waiting
from organizing.wall.needs_reading import NeedsOf, stuck_in
from participants.bot_form import DIAL_OUT
from participants.models import Team
from publication.models import FreezeOrder
from registration.models import Application, DialKey
from reviews.models import Dispute, Review, RevisionRequest
from tests.world import run

__all__ = ["run"]

pytestmark = pytest.mark.django_db
NOW = timezone.now()
NOTHING_SEEN = {"bots": {}, "dialogues": {}}


def keys(campaign):
    shown = NeedsOf(campaign.pk).shown({"en", "zh-hans"}, NOW, NOTHING_SEEN)
    assert [need["key"] for need in shown["en"]] == [need["key"] for need in shown["zh-hans"]]
    return [need["key"] for need in shown["en"]]


def test_a_quiet_campaign_needs_nobody(campaign, dialogue):
    assert keys(campaign) == []


def test_an_open_report_of_a_tester(campaign, dialogue, tester):
    problem = Problem.objects.create(dialogue=dialogue, reported_by=tester, text="x", at=NOW)
    assert keys(campaign) == ["problems"]
    Problem.objects.filter(pk=problem.pk).update(settled_at=NOW)
    assert keys(campaign) == []


def test_an_open_dispute_and_a_request_to_revise(campaign, dialogue, reviewer):
    Dispute.objects.create(dialogue=dialogue, opened_at=NOW)
    review = Review.objects.create(dialogue=dialogue, reviewer=reviewer, part=Review.Part.PANEL)
    RevisionRequest.objects.create(review=review, reason="x", asked_at=NOW)
    Dialogue.objects.update(status="completed", closed_at=NOW)
    assert keys(campaign) == ["requests", "disputes"]
    Dialogue.objects.update(status="void")
    assert keys(campaign) == ["requests"]


def test_a_campaign_in_which_nobody_can_start_is_not_fine(campaign, tester):
    assert keys(campaign) == []
    campaign.scenarios.all().delete()
    assert keys(campaign) == ["unready"]


def test_a_freeze_under_way_and_one_that_failed(campaign):
    order = FreezeOrder.objects.create(campaign=campaign, asked_at=NOW, hides_teams=True, next_at=NOW)
    assert keys(campaign) == ["freezing"]
    FreezeOrder.objects.filter(pk=order.pk).update(failure="no space")
    assert keys(campaign) == ["freeze"]


def test_a_system_that_waits_to_be_admitted(campaign):
    campaign.entries.update(draft_since=NOW)
    assert keys(campaign) == ["unready"]
    campaign.entries.update(submitted_at=NOW)
    assert "submitted" in keys(campaign)


def test_a_system_that_changed_until_it_answers_as_before(campaign):
    taken = {"protocol": "huace/1", "url": "http://127.0.0.1:9/", "answers": [["x"]]}
    entry = campaign.entries.get()
    entry.fingerprints.create(taken_at=NOW - timedelta(hours=2), differs=[0, 1], **taken)
    assert keys(campaign) == ["changed"]
    entry.fingerprints.create(taken_at=NOW, **taken)
    assert keys(campaign) == []


def test_a_system_without_the_report_that_the_campaign_demands(campaign):
    campaign.green_report_hours = 24
    campaign.save()
    assert keys(campaign) == ["unchecked"]
    campaign.entries.update(green_at=NOW)
    assert keys(campaign) == []


def test_a_team_that_asks_to_take_part(campaign, outsider):
    asked = Application.objects.create(
        campaign=campaign, applicant=outsider, name_en="x", affiliation="x", contact="x", applied_at=NOW
    )
    assert keys(campaign) == ["applications"]
    Application.objects.filter(pk=asked.pk).update(state=Application.State.WITHDRAWN, answered_at=NOW)
    assert keys(campaign) == []


def test_what_the_plan_asks_for_and_nobody_has(campaign):
    campaign.free_choice = False
    campaign.save()
    # One tester, one bot, one scenario, and nothing was drawn.
    assert keys(campaign) == ["undrawn"]


def test_a_tester_who_is_barred_later_hides_no_gap_of_the_full_plan(campaign, tester, outsider):
    Campaign.objects.update(free_choice=False, members_may_judge="others")
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    campaign.assignments.create(tester=tester, entry=entry, scenario=scenario, position=1)
    campaign.roles.create(person=outsider, role=Role.TESTER)
    assert keys(campaign) == ["undrawn"]
    campaign.team_members.create(team=entry.bot.team, person=tester)
    # The other tester still has no assignment, whatever stands in the first one's list.
    assert "undrawn" in keys(campaign)
    campaign.assignments.create(tester=outsider, entry=entry, scenario=scenario, position=2)
    assert "undrawn" not in keys(campaign)


def test_a_paused_bot(campaign):
    campaign.entries.update(paused_at=NOW, paused_because="x")
    assert keys(campaign) == [f"paused:{campaign.entries.get().alias}"]


def test_a_turn_is_stuck_a_minute_after_its_deadline():
    until = (NOW - timedelta(seconds=61)).isoformat()
    rows = {"late": {"waits_for": "bot", "until": until}, "tester": {"waits_for": "tester", "until": until},
            "soon": {"waits_for": "bot", "until": NOW.isoformat()}}  # fmt: skip
    assert stuck_in({"dialogues": rows}, NOW) == Waiting(1, NOW - timedelta(seconds=61))


def test_a_service_that_waits_to_be_admitted_and_one_that_changed(campaign, run):
    run.delete()
    service = Service.objects.create(
        task=campaign.automatic_tasks.get(),
        team=Team.objects.get(name="Team Alpha"),
        url="https://service.example.com/",
    )
    said = {"protocol": "smp2018_task1", "url": service.url, "answers": [["chat"]]}
    changed = service.fingerprints.create(taken_at=NOW, differs=[0], **said)
    assert keys(campaign) == ["services-changed"]
    Service.objects.update(draft_since=NOW, submitted_at=NOW)
    assert keys(campaign) == ["services-submitted"]
    Service.objects.update(withdrawn_at=NOW)
    assert keys(campaign) == []
    Service.objects.update(withdrawn_at=None, draft_since=None, submitted_at=None)
    service.fingerprints.create(taken_at=changed.taken_at + timedelta(hours=1), **said)
    assert keys(campaign) == []


def test_whoever_pauses_is_named_once_with_what_waits(campaign, tester):
    made = {"tester": tester, "entry": campaign.entries.get(), "scenario": campaign.scenarios.get()}
    campaign.assignments.create(**made, position=1)
    campaign.roles.create(person=tester, role=Role.REVIEWER)
    pause_person(campaign=campaign, person=tester, because="ill", by=None, at=NOW)
    assert keys(campaign) == ["away:tester"]
    (need,) = NeedsOf(campaign.pk).shown({"en"}, NOW, NOTHING_SEEN)["en"]
    assert need["who"] == "1 assignment waits for them"
    Campaign.objects.update(ends_at=NOW - timedelta(minutes=1))
    assert keys(campaign) == [], "nobody can let them go on any more"
    Campaign.objects.update(ends_at=None)
    resume_person(campaign=campaign, person=tester, because="well", by=None, at=NOW)
    assert keys(campaign) == []


def test_a_bot_that_connects_itself_until_it_does(campaign, organizer):
    campaign.entries.update(protocol=DIAL_OUT, url="")
    entry = campaign.entries.get()
    assert keys(campaign) == [f"unconnected:{entry.alias}"]
    key = DialKey.objects.create(entry=entry, digest="x", made_at=NOW)
    (need,) = NeedsOf(campaign.pk).shown({"en"}, NOW, NOTHING_SEEN)["en"]
    assert need["since"] == NOW.isoformat()
    key.connected_at = key.seen_at = NOW
    key.save()
    assert keys(campaign) == []
    campaign.testing_from = NOW + timedelta(days=1)
    campaign.save()
    DialKey.objects.all().delete()
    assert keys(campaign) == []


def test_an_automatic_task_whose_scores_could_not_be_compared(campaign, run):
    run.delete()
    assert keys(campaign) == []
    campaign.automatic_tasks.update(n_board_troubles=1, board_trouble_at=NOW)
    assert keys(campaign) == ["task-troubles"]


def test_a_service_whose_last_run_failed_until_it_works(campaign, run):
    team = Team.objects.get(name="Team Alpha")
    service = Service.objects.create(task=campaign.automatic_tasks.get(), team=team, url="https://service.example.com/")
    run.delete()
    failed = Run.objects.create(
        task=service.task,
        team=team,
        number=7,
        url=service.url,
        state=RunState.FAILED,
        submitted_at=NOW,
        finished_at=NOW,
    )
    assert keys(campaign) == ["services-failing"]
    Service.objects.update(url="https://another.example.com/")
    assert keys(campaign) == []
    Service.objects.update(url=service.url, green_at=NOW + timedelta(hours=1))
    assert keys(campaign) == []
    Service.objects.update(green_at=NOW - timedelta(hours=1))
    assert keys(campaign) == ["services-failing"]
    Run.objects.filter(pk=failed.pk).update(state=RunState.SCORED)
    assert keys(campaign) == []
