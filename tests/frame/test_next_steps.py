"""What is next for each role, and where the login leads."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from campaigns.access import roles_of
from campaigns.actions import pause_bot
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from frame.campaign_progress import standing_of
from frame.next_steps import landing, steps_in
from registration.actions import write_agreement
from tests.world import run

__all__ = ["run"]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def titles(person, campaign):
    return [step.title for step in steps_in(person, campaign, roles_of(person, campaign), standing_of(campaign))]


def is_to_do(person, campaign):
    (step,) = steps_in(person, campaign, roles_of(person, campaign), standing_of(campaign))
    return step.to_do


def test_a_tester_goes_on_with_what_was_begun_before_anything_else(campaign, tester, dialogue):
    step = steps_in(tester, campaign, frozenset({Role.TESTER}), standing_of(campaign))[0]
    assert step.title == "Continue your dialogue"
    assert step.url == f"/dialogues/{dialogue.pk}/"


def test_a_tester_scores_what_was_ended(campaign, tester, dialogue):
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    assert titles(tester, campaign) == ["Score the dialogue that you ended"]


def test_a_tester_without_assignments_chooses_where_the_campaign_allows_it(campaign, tester):
    assert titles(tester, campaign) == ["Open a dialogue"]
    campaign.free_choice = False
    assert titles(tester, campaign) == ["No assignments yet"]


def test_a_tester_whose_systems_pause_is_not_told_that_all_is_done(campaign, tester, dialogue):
    campaign.free_choice = False
    pause_bot(entry=campaign.entries.get(), because="its server is moved", at=timezone.now())
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    assert titles(tester, campaign) == ["What is left waits for paused systems"]


def test_an_organizer_is_told_when_the_leaderboard_can_be_published(campaign, organizer, dialogue):
    assert titles(organizer, campaign) == ["View live progress"]
    Dialogue.objects.update(status="completed", closed_at=timezone.now(), scored_at=timezone.now())
    assert titles(organizer, campaign) == ["All dialogues are scored"]
    # Its testers choose freely: more may come, until testing is over.
    assert not is_to_do(organizer, campaign)
    campaign.testing_until = timezone.now() - timedelta(days=1)
    assert is_to_do(organizer, campaign)
    campaign.free_choice, campaign.testing_until = False, None
    assert is_to_do(organizer, campaign)
    campaign.is_published = True
    assert titles(organizer, campaign) == ["The leaderboard is published"]


def test_a_participant_without_tasks_waits(campaign, participant):
    assert titles(participant, campaign) == ["Nothing to do now"]


def test_a_participant_is_led_to_what_the_team_has_to_do(campaign, participant):
    campaign.entries.all().delete()
    assert titles(participant, campaign) == ["Register your system"]
    write_agreement(campaign=campaign, text_zh="一", text_en="", by=None, at=timezone.now())
    (step,) = steps_in(participant, campaign, frozenset({Role.PARTICIPANT}), standing_of(campaign))
    assert (step.title, step.url) == ("Accept the agreement", "/campaigns/small/team/")


def test_a_participant_registers_a_system_before_the_first_run(campaign, participant, run):
    run.delete()
    assert titles(participant, campaign) == ["Hand in a run"]
    campaign.entries.all().delete()
    assert titles(participant, campaign) == ["Register your system"]
    assert landing(participant) == "/campaigns/small/team/"
    Campaign.objects.update(frozen_at=timezone.now() - timedelta(days=1))
    assert titles(participant, Campaign.objects.get()) == ["Hand in a run"]
    Campaign.objects.update(frozen_at=None)
    # Where there is nothing to talk about, no system is expected.
    campaign.scenarios.all().delete()
    assert titles(participant, Campaign.objects.get()) == ["Hand in a run"]
    assert landing(participant) == "/campaigns/small/tasks/"


def test_who_does_one_thing_lands_on_it(campaign, tester, organizer, reviewer, participant):
    assert landing(tester) == "/campaigns/small/testing/"
    assert landing(organizer) == "/campaigns/small/wall/"
    assert landing(reviewer) == "/campaigns/small/review/"
    assert landing(participant) == "/campaigns/small/team/"


def test_who_does_several_things_in_one_campaign_lands_on_its_page(campaign, tester):
    campaign.roles.create(person=tester, role=Role.REVIEWER)
    assert landing(tester) == "/campaigns/small/"


def test_who_takes_part_in_several_campaigns_or_none_lands_on_the_list(campaign, tester, outsider):
    other = Campaign.objects.create(slug="other", name_zh="x", name_en="x", rubric=campaign.rubric)
    other.roles.create(person=tester, role=Role.TESTER)
    assert landing(tester) == "/"
    assert landing(outsider) == "/"


def test_the_login_leads_there(campaign, tester, client):
    tester.set_password("a long enough one")
    tester.save()
    answer = client.post("/login/", {"username": "tester", "password": "a long enough one"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/campaigns/small/testing/"


def test_what_is_next_waits_for_the_campaigns_dates(campaign, tester, reviewer, organizer):
    def first_step(person, role):
        fresh = Campaign.objects.get(pk=campaign.pk)
        return steps_in(person, fresh, frozenset({role}), standing_of(fresh))[0]

    yesterday = timezone.now() - timedelta(days=1)
    Campaign.objects.update(testing_until=yesterday, review_until=yesterday)
    with translation.override("en"):
        for person, role in ((tester, Role.TESTER), (reviewer, Role.REVIEWER)):
            assert first_step(person, role).title == "Not open now"
            assert "(UTC+08:00)" in first_step(person, role).text
        assert first_step(organizer, Role.ORGANIZER).title == "View live progress"
        Campaign.objects.update(testing_until=None, review_until=None, ends_at=yesterday)
        assert first_step(organizer, Role.ORGANIZER).url == "/campaigns/small/calendar/"
        Campaign.objects.update(ends_at=None)
        assert first_step(tester, Role.TESTER).title == "Open a dialogue"


def test_a_tester_who_pauses_is_led_to_why(campaign, tester, dialogue):
    campaign.roles.filter(person=tester).update(paused_at=timezone.now(), paused_because="ill")
    assert titles(tester, campaign) == ["You are paused"]


def test_a_tester_who_has_done_everything_is_not_told_that_testing_is_over(campaign, tester, dialogue):
    now = timezone.now()
    Dialogue.objects.update(status="completed", closed_at=now, scored_at=now)
    Campaign.objects.update(free_choice=False, testing_until=now - timedelta(days=1))
    campaign.refresh_from_db()
    assert titles(tester, campaign) == ["All assignments are done"]
