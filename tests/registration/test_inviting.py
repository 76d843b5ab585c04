from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection

from accounts.link_tokens import LinkUnusable, Unusable
from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.actions.people import ProgramDecides
from campaigns.calendar import NotNow
from campaigns.models import CampaignRole
from participants.models import Team
from registration.actions.applying import NameTaken, Newcomer
from registration.actions.inviting import (
    BY_INVITATION,
    OtherTeam,
    accept_invitation,
    invitation_of,
    invite,
    invite_staff,
    join,
    renew_invitation,
    withdraw_invitation,
)
from registration.invitation_lines import BadInvitations, Invitee
from registration.models import Invitation
from tests.conftest import SMALL_CAMPAIGN, spec_of

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
ZHANG = Invitee(1, "zhang@example.org", "zhang@example.org", ("tester",))
NEWCOMER = Newcomer("zhang", "a long and good one")


def invited(campaign, *invitees, at=NOW, **named):
    return invite(campaign=campaign, invitees=invitees or [ZHANG], by=None, at=at, **named)


def why_of(token, person, at=NOW) -> Unusable:
    with pytest.raises(LinkUnusable) as unusable:
        accept_invitation(token=token, person=person, at=at)
    return unusable.value.why


def roles_of(person, campaign) -> set[str]:
    return set(CampaignRole.objects.filter(person=person, campaign=campaign).values_list("role", flat=True))


def test_an_invitation_makes_no_program_an_adjudicator(campaign):
    (one,) = invited(campaign, Invitee(1, "robot", "", ("reviewer", "adjudicator")))
    robot = Person.objects.create_user("robot", kind="program")
    with pytest.raises(ProgramDecides):
        accept_invitation(token=one.token, person=robot, at=NOW)
    assert roles_of(robot, campaign) == set()


def test_a_newcomer_gets_an_account_and_the_roles(campaign):
    (one,) = invited(campaign, Invitee(1, "zhang", "", ("tester", "reviewer")))
    person = join(token=one.token, newcomer=Newcomer("zhang", "a long and good one", "张三", "z@example.org"), at=NOW)
    person.refresh_from_db()
    assert person.check_password("a long and good one")
    assert (person.display_name, person.email, person.is_staff) == ("张三", "z@example.org", False)
    assert roles_of(person, campaign) == {"tester", "reviewer"}


def test_somebody_with_an_account_accepts_once(campaign, outsider, participant):
    (one,) = invited(campaign)
    Person.objects.filter(pk=outsider.pk).update(came_by=Person.CameBy.APPLICATION)
    outsider.refresh_from_db()
    accept_invitation(token=one.token, person=outsider, at=NOW)
    assert Person.objects.get(pk=outsider.pk).came_by == Person.CameBy.INVITATION
    assert roles_of(outsider, campaign) == {"tester"}
    assert why_of(one.token, participant) is Unusable.USED
    assert roles_of(participant, campaign) == {"participant"}


def test_a_participant_joins_the_team_and_nobody_leaves_theirs_by_an_invitation(campaign, outsider, participant):
    one, two = invited(
        campaign, Invitee(1, "a", "", ("participant",), "Team Beta"), Invitee(2, "b", "", ("participant",), "Team Beta")
    )
    accept_invitation(token=one.token, person=outsider, at=NOW)
    assert campaign.team_members.get(person=outsider).team == Team.objects.get(name="Team Beta")
    with pytest.raises(OtherTeam):
        accept_invitation(token=two.token, person=participant, at=NOW)
    assert invitation_of(two.token, NOW)


def test_a_link_ends_after_its_days(campaign, outsider):
    (one,) = invited(campaign, days=2)
    assert why_of(one.token, outsider, NOW + timedelta(days=2)) is Unusable.EXPIRED


def test_a_withdrawn_link_opens_nothing_and_a_renewed_one_has_another_token(campaign, outsider, organizer):
    (one,) = invited(campaign)
    withdraw_invitation(invitation=one.invitation, by=organizer, at=NOW)
    assert why_of(one.token, outsider) is Unusable.WITHDRAWN
    renewed = renew_invitation(invitation=one.invitation, by=organizer, at=NOW)
    assert why_of(one.token, outsider) is Unusable.UNKNOWN
    accept_invitation(token=renewed.token, person=outsider, at=NOW)
    for act in (withdraw_invitation, renew_invitation):
        with pytest.raises(LinkUnusable):
            act(invitation=one.invitation, by=organizer, at=NOW)


def test_only_the_hash_of_a_token_is_stored(campaign):
    (one,) = invited(campaign)
    assert one.token not in str(list(Invitation.objects.values()) + list(TrailLine.objects.values()))


def test_who_has_an_open_invitation_is_not_invited_again_and_then_nobody_of_the_list_is(campaign):
    invited(campaign)
    with pytest.raises(BadInvitations) as bad:
        invited(
            campaign,
            Invitee(1, "li", "", ("tester",), "New Team"),
            Invitee(2, "ZHANG@example.org", "ZHANG@example.org", ("tester",)),
        )
    assert [problem.place for problem in bad.value.problems] == ["line 2"]
    assert Invitation.objects.count() == 1
    assert not Team.objects.filter(name="New Team").exists()
    assert invited(campaign, at=NOW + timedelta(days=8))


def test_a_name_that_was_taken_meanwhile_uses_nothing_up(campaign, outsider):
    (one,) = invited(campaign)
    with pytest.raises(NameTaken):
        join(token=one.token, newcomer=Newcomer("outsider", "a long and good one"), at=NOW)
    assert join(token=one.token, newcomer=NEWCOMER, at=NOW).username == "zhang"


def test_a_staff_invitation_makes_an_organizer_of_the_site(db):
    one = invite_staff(name="", at=NOW)
    person = join(token=one.token, newcomer=NEWCOMER, at=NOW)
    assert (person.is_staff, person.is_superuser) == (True, False)


def test_each_act_leaves_one_line(campaign, organizer):
    before = TrailLine.objects.count()
    one, _ = invite(campaign=campaign, invitees=[ZHANG, Invitee(2, "li", "", ("reviewer",))], by=organizer, at=NOW)
    withdraw_invitation(invitation=one.invitation, by=organizer, at=NOW)
    renewed = renew_invitation(invitation=one.invitation, by=organizer, at=NOW)
    join(token=renewed.token, newcomer=NEWCOMER, at=NOW)
    lines = TrailLine.objects.in_order().values_list("act", "person", "about", "campaign")
    assert list(lines)[before:] == [
        ("invitation.made", "organizer", "zhang@example.org, li", "small"),
        ("invitation.withdrawn", "organizer", "zhang@example.org", "small"),
        ("invitation.renewed", "organizer", "zhang@example.org", "small"),
        ("invitation.accepted", "zhang", "tester", "small"),
    ]
    assert TrailLine.objects.of_act("invitation.accepted").get().because == BY_INVITATION


@pytest.mark.django_db(transaction=True)
def test_of_two_clicks_at_once_one_gets_in():
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    (one,) = invited(campaign)
    start, done = Barrier(2), []

    def click(username: str) -> None:
        start.wait()
        try:
            done.append(join(token=one.token, newcomer=Newcomer(username, "a long and good one"), at=NOW).username)
        except LinkUnusable as unusable:
            done.append(unusable.why)
        finally:
            connection.close()

    threads = [Thread(target=click, args=[name]) for name in ("zhang", "li")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Unusable.USED in done
    done.remove(Unusable.USED)
    assert list(Person.objects.filter(username__in=["zhang", "li"]).values_list("username", flat=True)) == done


def test_nobody_is_invited_or_let_in_once_the_campaign_has_ended(campaign, outsider):
    (one,) = invited(campaign)
    campaign.ends_at = NOW
    campaign.save()
    later = NOW + timedelta(minutes=1)
    with pytest.raises(NotNow):
        invited(campaign, Invitee(1, "li", "", ("tester",)), at=later)
    with pytest.raises(NotNow):
        accept_invitation(token=one.token, person=outsider, at=later)
    with pytest.raises(NotNow):
        join(token=one.token, newcomer=NEWCOMER, at=later)
    assert not Person.objects.filter(username="zhang").exists()
    assert invitation_of(one.token, NOW).used_at is None


def test_an_invitation_is_withdrawn_even_once_the_campaign_has_ended(campaign, organizer):
    (one,) = invited(campaign)
    campaign.ends_at = NOW
    campaign.save()
    later = NOW + timedelta(minutes=1)
    assert withdraw_invitation(invitation=one.invitation, by=organizer, at=later).withdrawn_at == later
