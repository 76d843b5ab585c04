from datetime import UTC, datetime
from threading import Barrier, Thread

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError
from django.utils.translation import override

from accounts.link_tokens import LinkUnusable
from accounts.models import Person
from accounts.passwords.actions import make_password_link, password_link_of
from audit.models import TrailLine
from campaigns.actions import ReasonNeeded, load_campaign
from campaigns.actions.leaving import leave_as_tester
from campaigns.actions.people import (
    LastOrganizer,
    NotHere,
    NothingToPause,
    ProgramDecides,
    give_role,
    pause_person,
    resume_person,
    take_role,
)
from campaigns.calendar import NotNow
from campaigns.models import CampaignRole, Role
from tests.conftest import SMALL_CAMPAIGN, spec_of

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)


def roles_of(person, campaign) -> set[str]:
    return set(campaign.roles.filter(person=person).values_list("role", flat=True))


def test_somebody_in_the_campaign_gets_one_more_role(campaign, tester, organizer):
    give_role(campaign=campaign, person=tester, role=Role.REVIEWER, because="needed", by=organizer, at=NOW)
    assert roles_of(tester, campaign) == {"tester", "reviewer"}


def test_nobody_gets_in_without_having_accepted_an_invitation(campaign, outsider, organizer):
    with pytest.raises(NotHere):
        give_role(campaign=campaign, person=outsider, role=Role.TESTER, because="needed", by=organizer, at=NOW)
    assert roles_of(outsider, campaign) == set()


@pytest.mark.parametrize("role", [Role.EXPERT, Role.ADJUDICATOR])
def test_no_program_decides_which_dialogues_and_scores_of_people_count(campaign, organizer, role):
    Person.objects.create_user("robot", kind="program")
    robot = Person.objects.get(username="robot")
    campaign.roles.create(person=robot, role=Role.REVIEWER)
    with override("en"), pytest.raises(ProgramDecides, match=r"robot .* only people can be experts or adjudicators"):
        give_role(campaign=campaign, person=robot, role=role, because="needed", by=organizer, at=NOW)
    give_role(campaign=campaign, person=robot, role=Role.TESTER, because="needed", by=organizer, at=NOW)
    assert roles_of(robot, campaign) == {"reviewer", "tester"}


def test_the_last_organizer_stays(campaign, organizer, tester):
    with pytest.raises(LastOrganizer):
        take_role(campaign=campaign, person=organizer, role=Role.ORGANIZER, because="done", by=organizer, at=NOW)
    give_role(campaign=campaign, person=tester, role=Role.ORGANIZER, because="needed", by=organizer, at=NOW)
    assert take_role(campaign=campaign, person=organizer, role=Role.ORGANIZER, because="done", by=tester, at=NOW)
    assert roles_of(organizer, campaign) == set()


def test_what_a_dismissed_organizer_made_and_nobody_used_ends(campaign, organizer, tester, reviewer):
    give_role(campaign=campaign, person=reviewer, role=Role.ORGANIZER, because="needed", by=organizer, at=NOW)
    for by in (organizer, reviewer):
        campaign.invitations.create(
            digest=by.username, name="x", roles=["tester"], made_by=by, made_at=NOW, expires_at=NOW
        )
    theirs = make_password_link(person=tester, by=organizer, at=NOW)
    others = make_password_link(person=tester, by=reviewer, at=NOW)
    take_role(campaign=campaign, person=organizer, role=Role.ORGANIZER, because="done", by=reviewer, at=NOW)
    ended = campaign.invitations.exclude(withdrawn_at=None)
    assert [(one.made_by, one.withdrawn_by) for one in ended] == [(organizer, reviewer)]
    with pytest.raises(LinkUnusable):
        password_link_of(theirs, NOW)
    assert password_link_of(others, NOW).person == tester
    line = TrailLine.objects.order_by("number").last()
    assert line.details == {"role": "organizer", "invitations": 1, "links": 1}


def test_an_organizer_whose_account_is_closed_does_not_count_as_one_who_stays(campaign, organizer):
    closed = Person.objects.create_user("closed", is_active=False)
    campaign.roles.create(person=closed, role=Role.ORGANIZER)
    with pytest.raises(LastOrganizer):
        take_role(campaign=campaign, person=organizer, role=Role.ORGANIZER, because="done", by=None, at=NOW)


def test_a_participant_who_is_let_go_leaves_the_team(campaign, participant, organizer):
    assert take_role(campaign=campaign, person=participant, role=Role.PARTICIPANT, because="done", by=organizer, at=NOW)
    assert not campaign.team_members.filter(person=participant).exists()
    assert not take_role(
        campaign=campaign, person=participant, role=Role.PARTICIPANT, because="done", by=organizer, at=NOW
    )


def test_a_pause_says_since_when_and_why(campaign, tester, organizer):
    pause_person(campaign=campaign, person=tester, because=" ill ", by=organizer, at=NOW)
    role = campaign.roles.get(person=tester)
    assert (role.paused_at, role.paused_because) == (NOW, "ill")
    assert resume_person(campaign=campaign, person=tester, because="well", by=organizer, at=NOW)
    assert campaign.roles.at_work().filter(person=tester).exists()
    assert not resume_person(campaign=campaign, person=tester, because="well", by=organizer, at=NOW)


def test_nobody_pauses_without_a_reason_or_without_work(campaign, tester, organizer):
    with pytest.raises(ReasonNeeded):
        pause_person(campaign=campaign, person=tester, because=" ", by=organizer, at=NOW)
    with pytest.raises(NothingToPause):
        pause_person(campaign=campaign, person=organizer, because="ill", by=organizer, at=NOW)


@pytest.mark.parametrize("because", ["", "  ", "x" * 2000])
def test_nobody_goes_on_leaves_gets_or_loses_a_role_without_a_reason(campaign, tester, organizer, because):
    pause_person(campaign=campaign, person=tester, because="ill", by=organizer, at=NOW)
    give_role(campaign=campaign, person=tester, role=Role.EXPERT, because="needed", by=organizer, at=NOW)
    who = {"campaign": campaign, "person": tester, "because": because, "by": organizer, "at": NOW}
    n_lines = TrailLine.objects.count()
    given, taken = {"role": Role.REVIEWER}, {"role": Role.EXPERT}
    for act, said in ((resume_person, {}), (give_role, given), (take_role, taken), (leave_as_tester, {})):
        with pytest.raises(ReasonNeeded):
            act(**who, **said)
    assert roles_of(tester, campaign) == {"tester", "expert"}
    assert campaign.roles.get(person=tester, role=Role.TESTER).paused_at == NOW
    assert TrailLine.objects.count() == n_lines


def test_the_database_refuses_a_pause_without_a_reason(campaign, tester):
    with pytest.raises(IntegrityError), transaction.atomic():
        CampaignRole.objects.filter(person=tester).update(paused_at=NOW)


def test_each_act_leaves_one_line(campaign, tester, organizer):
    before = TrailLine.objects.count()
    give_role(campaign=campaign, person=tester, role=Role.REVIEWER, because="needed", by=organizer, at=NOW)
    give_role(campaign=campaign, person=tester, role=Role.REVIEWER, because="needed", by=organizer, at=NOW)
    pause_person(campaign=campaign, person=tester, because="ill", by=organizer, at=NOW)
    resume_person(campaign=campaign, person=tester, because="well", by=organizer, at=NOW)
    take_role(campaign=campaign, person=tester, role=Role.EXPERT, because="done", by=organizer, at=NOW)
    take_role(campaign=campaign, person=tester, role=Role.REVIEWER, because="done", by=organizer, at=NOW)
    lines = list(TrailLine.objects.in_order().values_list("act", "person", "about", "because"))[before:]
    assert lines == [
        ("role.given", "organizer", "tester", "needed"),
        ("person.paused", "organizer", "tester", "ill"),
        ("person.resumed", "organizer", "tester", "well"),
        ("role.taken", "organizer", "tester", "done"),
    ]


@pytest.mark.django_db(transaction=True)
def test_of_two_organizers_who_take_each_others_role_at_once_one_stays():
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    people = [Person.objects.get(username="organizer"), Person.objects.get(username="tester")]
    campaign.roles.create(person=people[1], role=Role.ORGANIZER)
    start, refused = Barrier(2), []

    def take(person) -> None:
        start.wait()
        try:
            take_role(campaign=campaign, person=person, role=Role.ORGANIZER, because="done", by=None, at=NOW)
        except LastOrganizer:
            refused.append(person)
        finally:
            connection.close()

    threads = [Thread(target=take, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [role.person for role in campaign.roles.filter(role=Role.ORGANIZER)] == refused


def test_nothing_changes_once_the_campaign_has_ended(campaign, tester, organizer):
    campaign.ends_at = NOW
    campaign.save()
    later = NOW.replace(hour=10)
    who = {"campaign": campaign, "person": tester, "by": organizer, "at": later}
    for act, said in (
        (give_role, {"role": Role.REVIEWER, "because": "needed"}),
        (take_role, {"role": Role.TESTER, "because": "done"}),
        (pause_person, {"because": "ill"}),
        (resume_person, {"because": "well"}),
        (leave_as_tester, {"because": "left"}),
    ):
        with pytest.raises(NotNow):
            act(**who, **said)
    assert roles_of(tester, campaign) == {"tester"}
