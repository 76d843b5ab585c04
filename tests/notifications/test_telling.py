"""What other rooms record becomes messages: once, to those who want them and see what they are about."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.stages import pause_bot
from campaigns.models import Campaign, CampaignRole, Role, TeamMember
from conformance.system_kinds import BOTS
from dialogues.trail_acts import FAILED_TOGETHER
from notifications.actions.telling import drop_old_deliveries, reading_from, tell
from notifications.models import Choice, Delivery, Event, Kind, Reading
from operating.backups import note_failure
from publication.actions.publishing import publish, withdraw
from registration.models import Application
from registration.trail_acts import APPLICATION_REFUSED
from reviews.models import Dispute
from reviews.trail_acts import DIALOGUE_RETURNED
from tests.publishing import snapshot_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def mailing(settings):
    settings.HAS_MAIL = True


@pytest.fixture
def now():
    at = timezone.now()
    reading_from(at=at)
    return at


def wants(person, *kinds, mail="once"):
    return Choice.objects.create(person=person, mail=mail, kinds=list(map(str, kinds or Kind)))


def told():
    """Kind, receiver and path of each message."""
    rows = Delivery.objects.select_related("event", "person", "webhook")
    return sorted((str(one.event.kind), one.person.username if one.person else "webhook", one.path) for one in rows)


@pytest.fixture
def webhook(campaign, organizer):
    return campaign.webhooks.create(
        url="https://x.example/", kinds=[str(one) for one in Kind], made_by=organizer, made_at=timezone.now()
    )


@pytest.fixture
def member(campaign, participant):
    entry = campaign.entries.get()
    TeamMember.objects.get_or_create(campaign=campaign, person=participant, defaults={"team": entry.bot.team})
    TeamMember.objects.filter(person=participant).update(team=entry.bot.team)
    return participant


def test_a_paused_bot_is_told_to_its_team_and_the_organizers_once(
    campaign, organizer, member, tester, reviewer, webhook, now
):
    for person in (organizer, member, tester, reviewer):
        wants(person)
    pause_bot(entry=campaign.entries.get(), because="it is slow", at=now)
    assert tell(at=now, decisions=False) == 1
    assert tell(at=now, decisions=False) == 0
    assert told() == [
        ("bot.paused", "organizer", "/campaigns/small/teams/"),
        ("bot.paused", "participant", "/campaigns/small/team/"),
        ("bot.paused", "webhook", "/campaigns/small/teams/"),
    ]


def checked(campaign, verdict):
    with transaction.atomic():
        record(
            BOTS.acts.checked,
            by=None,
            campaign="small",
            about="K7",
            details={"bot": campaign.entries.get().key, "verdict": verdict},
        )


def test_a_check_is_news_where_it_failed(campaign, organizer, member, now):
    wants(organizer)
    wants(member)
    checked(campaign, "pass")
    checked(campaign, "warn")
    assert tell(at=now, decisions=False) == 0
    checked(campaign, "fail")
    assert tell(at=now, decisions=False) == 1
    assert [(kind, who) for kind, who, _ in told()] == [("check.failed", "organizer"), ("check.failed", "participant")]


def test_an_answer_reaches_the_applicant_alone(campaign, organizer, tester, now):
    applicant = Person.objects.create_user("applicant")
    Application.objects.create(
        campaign=campaign, applicant=applicant, name_zh="队", affiliation="x", contact="x", applied_at=now
    )
    for person in (applicant, organizer, tester):
        wants(person)
    with transaction.atomic():
        record(APPLICATION_REFUSED, by=organizer, campaign="small", about="队", details={"applicant": "applicant"})
    tell(at=now, decisions=False)
    assert told() == [("application.answered", "applicant", "/campaigns/small/apply/")]


def test_a_returned_dialogue_reaches_who_talked_it_and_no_team(campaign, dialogue, tester, organizer, member, now):
    for person in (tester, organizer, member):
        wants(person)
    with transaction.atomic():
        record(DIALOGUE_RETURNED, by=None, campaign="small", about="K7 · x", details={"dialogue": str(dialogue.pk)})
    tell(at=now, decisions=False)
    assert told() == [
        ("dialogue.returned", "organizer", "/campaigns/small/dialogues/"),
        ("dialogue.returned", "tester", "/campaigns/small/testing/"),
    ]


def test_a_failed_backup_reaches_staff_and_no_campaigns_webhook(tmp_path, organizer, webhook, now):
    staff = Person.objects.create_user("staff", is_staff=True)
    wants(staff)
    wants(organizer)
    note_failure(tmp_path / "x.zip", OSError("full"), at=now)
    tell(at=now, decisions=False)
    assert told() == [("backup.failed", "staff", "/operate/")]


def test_a_board_is_told_of_on_its_day_and_again_when_it_is_withdrawn(campaign, organizer, tester, now):
    wants(tester)
    snapshot = snapshot_of(campaign)
    publish(snapshot=snapshot, public_from=now + DAY, by=organizer, at=now)
    assert tell(at=now, decisions=False) == 0
    assert tell(at=now + DAY, decisions=False) == 1
    assert tell(at=now + DAY, decisions=False) == 0
    withdraw(snapshot=snapshot, because="an error", by=organizer, at=now + 2 * DAY)
    assert tell(at=now + 2 * DAY, decisions=False) == 1
    assert told() == [
        ("board.published", "tester", f"/campaigns/small/leaderboard/{snapshot.number}/"),
        ("board.withdrawn", "tester", "/campaigns/small/"),
    ]


def test_a_board_that_was_withdrawn_before_its_day_is_told_to_nobody(campaign, organizer, tester, now):
    wants(tester)
    snapshot = snapshot_of(campaign)
    publish(snapshot=snapshot, public_from=now + DAY, by=organizer, at=now)
    withdraw(snapshot=snapshot, because="an error", by=organizer, at=now + DAY / 2)
    assert tell(at=now + 2 * DAY, decisions=False) == 0


def test_a_withdrawal_of_a_board_that_nobody_saw_is_told_to_nobody_whatever_its_day_is_now(
    campaign, organizer, tester, now
):
    wants(tester)
    snapshot = snapshot_of(campaign)
    publish(snapshot=snapshot, public_from=now + DAY, by=organizer, at=now)
    Campaign.objects.update(publication_at=now + 5 * DAY)
    withdraw(snapshot=snapshot, because="an error", by=organizer, at=now + 2 * DAY)
    Campaign.objects.update(publication_at=None)
    assert tell(at=now + 3 * DAY, decisions=False) == 0


def test_a_dispute_is_told_of_after_a_day_and_of_later_ones_once_a_day(campaign, organizer, dialogue, now):
    adjudicator = Person.objects.create_user("adjudicator")
    CampaignRole.objects.create(campaign=campaign, person=adjudicator, role=Role.ADJUDICATOR)
    wants(adjudicator)
    type(dialogue).objects.update(status="completed", closed_at=now)
    dispute = Dispute.objects.create(dialogue=dialogue, criteria={}, opened_at=now)
    assert tell(at=now + DAY / 2, decisions=True) == 0
    assert tell(at=now + DAY, decisions=False) == 0
    assert tell(at=now + DAY, decisions=True) == 1
    assert tell(at=now + 3 * DAY, decisions=True) == 0
    Dispute.objects.filter(pk=dispute.pk).update(opened_at=now + DAY / 4)
    assert tell(at=now + DAY * 1.5, decisions=True) == 0
    assert tell(at=now + DAY * 2, decisions=True) == 1
    assert told() == [("decision.waits", "adjudicator", "/campaigns/small/review/")] * 2


def test_what_a_campaign_over_leaves_undecided_is_told_to_nobody(campaign, organizer, dialogue, now):
    wants(organizer)
    Application.objects.create(
        campaign=campaign, applicant=organizer, name_zh="队", affiliation="x", contact="x", applied_at=now
    )
    Campaign.objects.update(ends_at=now + DAY)
    assert tell(at=now + 2 * DAY, decisions=True) == 0
    Campaign.objects.update(ends_at=None)
    assert tell(at=now + 2 * DAY, decisions=True) == 1


def test_nothing_of_before_the_first_look_is_told(campaign, organizer):
    wants(organizer)
    at = timezone.now()
    pause_bot(entry=campaign.entries.get(), because="it is slow", at=at)
    assert tell(at=at, decisions=False) == 0
    assert Event.objects.count() == 0
    assert Reading.objects.get().line > 0


def test_who_chose_nothing_else_or_no_mails_gets_none(campaign, organizer, member, settings, now):
    wants(organizer, Kind.BOARD_PUBLISHED)
    wants(member, mail="none")
    pause_bot(entry=campaign.entries.get(), because="it is slow", at=now)
    assert tell(at=now, decisions=False) == 1
    assert told() == []


def test_without_a_mail_server_no_mail_waits(campaign, organizer, settings, now):
    settings.HAS_MAIL = False
    wants(organizer)
    pause_bot(entry=campaign.entries.get(), because="it is slow", at=now)
    tell(at=now, decisions=False)
    assert told() == []


def test_lines_that_are_no_news_are_passed_over(organizer, now):
    wants(organizer)
    with transaction.atomic():
        record(FAILED_TOGETHER, by=None, campaign="small", about="x")
    assert tell(at=now, decisions=False) == 0


def test_a_look_that_finds_nothing_writes_nothing(campaign, organizer, now, django_assert_max_num_queries):
    with django_assert_max_num_queries(6) as asked:
        assert tell(at=now, decisions=False) == 0
    assert all(one["sql"].startswith("SELECT") for one in asked.captured_queries)


def test_what_was_delivered_long_ago_is_dropped(campaign, organizer, webhook, now):
    pause_bot(entry=campaign.entries.get(), because="it is slow", at=now)
    tell(at=now, decisions=False)
    Delivery.objects.update(state="sent", ended_at=now)
    assert drop_old_deliveries(at=now + 29 * DAY) == 0
    assert drop_old_deliveries(at=now + 31 * DAY) == 1
    assert tell(at=now + 31 * DAY, decisions=False) == 0
