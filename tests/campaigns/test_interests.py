"""Who has an interest in a team, what it bars from, and that nobody gets into both sides by roles, plans or handing over."""

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import draw_assignments, load_campaign, register_bot
from campaigns.actions.assigning import ground_of
from campaigns.actions.leaving import CannotTakeOver, preview_leave
from campaigns.actions.people import HasInterest, give_role
from campaigns.interests import Interests, barred_entries, may_judge
from campaigns.models import Campaign, Role
from campaigns.planning.plans import Ground, Plan, PlanKind, draw_fresh
from campaigns.planning.redrawing import Standing, changes_of
from participants.bot_form import BotForm
from participants.models import Bot, Team
from reading.checking import BadFile
from registration.actions import approve_application
from registration.actions.inviting import accept_invitation, invite
from registration.invitation_lines import BadInvitations, Invitee
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.registration.conftest import apply

pytestmark = pytest.mark.django_db

RIVAL = '[[bots]]\nkey = "b"\nteam = "Team Beta"\nurl = "http://127.0.0.1:9/"\n'
WITH_RIVAL = SMALL_CAMPAIGN.replace("[[scenarios]]", f"{RIVAL}\n[[scenarios]]", 1)
DRAWN = WITH_RIVAL.replace("free_choice = true", "free_choice = false")


@pytest.fixture
def rivals(campaign):
    load_campaign(spec=spec_of(WITH_RIVAL))
    return campaign


def judging_others(campaign):
    Campaign.objects.filter(pk=campaign.pk).update(members_may_judge="others")
    campaign.refresh_from_db()


def keys_barred(person):
    return set(barred_entries(person).values_list("key", flat=True))


def test_a_member_judges_neither_their_own_bot_nor_a_rivals(rivals, participant, tester):
    assert keys_barred(participant) == {"a", "b"}
    assert keys_barred(tester) == set()
    judging_others(rivals)
    assert keys_barred(participant) == {"a"}


def test_a_member_in_another_campaign_has_an_interest_where_the_team_takes_part(rivals, tester):
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"')))
    team = rivals.entries.get(key="a").bot.team
    other.team_members.create(team=team, person=tester)
    assert not may_judge(tester, rivals.entries.get(key="a").pk)
    assert not may_judge(tester, rivals.entries.get(key="b").pk)
    judging_others(rivals)
    assert may_judge(tester, rivals.entries.get(key="b").pk)


def test_who_registered_a_bot_keeps_the_interest_and_an_organizer_gets_none(rivals, participant, organizer):
    team, at = Team.objects.get(name="Team Alpha"), timezone.now()
    for by, name in ((participant, "one"), (organizer, "two")):
        form = BotForm(name=name, protocol="dial-out", url="")
        register_bot(campaign=rivals, team=team, form=form, by=by, at=at)
    rivals.team_members.all().delete()
    assert keys_barred(organizer) == set()
    judging_others(rivals)
    assert keys_barred(participant) == {"a", "one", "two"}


def test_the_rule_of_one_person_is_the_rule_of_the_campaign(rivals, participant, tester, organizer):
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"other"').replace("Alpha", "Beta")))
    other.team_members.create(team=rivals.entries.get(key="b").bot.team, person=tester)
    rivals.entries.filter(key="b").update(registered_by=participant, registered_at=timezone.now())
    for setting in ("none", "others"):
        Campaign.objects.update(members_may_judge=setting)
        for campaign in Campaign.objects.all():
            interests = Interests(campaign)
            for entry in campaign.entries.select_related("bot"):
                for person in Person.objects.all():
                    assert interests.bars(person.pk, entry.bot.team_id) is not may_judge(person, entry.pk)


def give(campaign, person, role, by=None):
    return give_role(campaign=campaign, person=person, role=role, because="needed", by=by, at=timezone.now())


@pytest.mark.parametrize("role", [Role.TESTER, Role.REVIEWER, Role.EXPERT, Role.ADJUDICATOR])
def test_a_member_gets_no_role_that_judges(campaign, participant, role):
    with pytest.raises(HasInterest) as refused:
        give(campaign, participant, role)
    assert "participant takes part for Team Alpha" in str(refused.value)
    assert not campaign.roles.filter(person=participant, role=role).exists()
    give(campaign, participant, Role.ORGANIZER)
    judging_others(campaign)
    give(campaign, participant, role)


def test_the_api_and_the_page_say_why_a_member_gets_no_role(campaign, participant, organizer, client):
    client.force_login(organizer)
    said = {"role": "tester", "because": "needed"}
    answer = client.post(f"/api/v1/campaigns/small/people/{participant.pk}/roles/", said, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "has_interest")
    page = client.post(f"/campaigns/small/people/{participant.pk}/change/", said | {"act": "give"})
    assert page.status_code == 409
    assert "Team Alpha" in page.content.decode()


def test_a_tester_joins_no_team_by_invitation_application_or_file(campaign, tester, organizer):
    at = timezone.now()
    (invited,) = invite(
        campaign=campaign, invitees=[Invitee(1, "x", "", ("participant",), "Team Alpha")], by=organizer, at=at
    )
    with pytest.raises(HasInterest):
        accept_invitation(token=invited.token, person=tester, at=at)
    campaign.takes_applications = True
    campaign.save()
    application = apply(campaign, tester)
    with pytest.raises(HasInterest):
        approve_application(application=application, by=organizer, at=at)
    with pytest.raises(BadFile, match=r"\[\[people\]\] 2 roles: tester takes part for Team Beta"):
        load_campaign(
            spec=spec_of(SMALL_CAMPAIGN.replace('roles = ["tester"]', 'roles = ["tester"]\nteam = "Team Beta"'))
        )
    assert not campaign.team_members.filter(person=tester).exists()


def test_nobody_is_invited_to_both_sides(campaign, organizer):
    both = [Invitee(1, "x", "", ("participant", "reviewer"), "Team Alpha")]
    with pytest.raises(BadInvitations, match="line 1: takes part for a team"):
        invite(campaign=campaign, invitees=both, by=organizer, at=timezone.now())


def join_late(campaign, person, team="Team Alpha"):
    """Somebody who became a member while no rule looked: by a file of another campaign, or before the setting changed."""
    campaign.team_members.create(team=Team.objects.get(name=team), person=person)


@pytest.mark.parametrize("plan", PlanKind)
def test_no_plan_draws_a_member_for_the_bots_they_may_not_test(campaign, tester, plan):
    load_campaign(spec=spec_of(DRAWN))
    campaign.refresh_from_db()
    for name in ("one", "two"):
        campaign.roles.create(person=Person.objects.create_user(name), role=Role.TESTER)
    campaign.scenarios.update(skill="s")
    values = {"plan": plan.value, "testers_per_cell": 3, "dialogues_per_bot": 6, "quota": {"s": 6}}
    Campaign.objects.filter(pk=campaign.pk).update(**values)
    campaign.refresh_from_db()
    join_late(campaign, tester)
    draw_assignments(campaign=campaign)
    assert campaign.assignments.exists()
    assert not campaign.assignments.filter(tester=tester).exists()
    judging_others(campaign)
    draw_assignments(campaign=campaign)
    assert set(campaign.assignments.filter(tester=tester).values_list("entry__key", flat=True)) == {"b"}


def test_a_drawing_takes_what_a_member_has_not_begun_and_gives_it_to_others(campaign, tester):
    load_campaign(spec=spec_of(DRAWN))
    campaign.refresh_from_db()
    campaign.roles.create(person=Person.objects.create_user("two"), role=Role.TESTER)
    Campaign.objects.filter(pk=campaign.pk).update(plan="per_cell", testers_per_cell=1)
    campaign.refresh_from_db()
    draw_assignments(campaign=campaign)
    campaign.assignments.filter(tester__username="two").update(started_at=timezone.now())
    assert campaign.assignments.filter(tester=tester).count() == 1
    join_late(campaign, tester)
    assert campaign.assignments.filter(tester=tester).count() == 1
    draw_assignments(campaign=campaign)
    assert set(campaign.assignments.values_list("tester__username", flat=True)) == {"two"}
    assert campaign.assignments.count() == 2


def test_a_newcomer_takes_over_nothing_that_bars_them():
    standing = [Standing(n, "old", "ab"[n % 2], f"s{n}", n, is_begun=n < 2) for n in range(10)]
    ground = Ground(["old", "new"], ["a", "b"], {f"s{n}": "" for n in range(10)}, frozenset({("new", "a")}))
    changes = changes_of(Plan(PlanKind.RANDOM_GOALS, dialogues_per_bot=5), ground, standing, seed=1)
    assert {(one.tester, one.bot) for one in changes.add} == {("new", "b")}


def test_a_full_plan_without_a_pair_keeps_the_places_of_all_others():
    free = Ground(["t", "u"], ["a", "b"], {"s1": "", "s2": ""})
    barred = Ground(free.testers, free.bots, free.skills, frozenset({("t", "a")}))
    drawn, _ = draw_fresh(Plan(), free, seed=3)
    assert draw_fresh(Plan(), barred, seed=3)[0] == [one for one in drawn if (one.tester, one.bot) != ("t", "a")]


def test_a_leavers_work_goes_to_no_member(campaign, tester):
    load_campaign(spec=spec_of(DRAWN))
    campaign.refresh_from_db()
    heir = Person.objects.create_user("heir")
    campaign.roles.create(person=heir, role=Role.TESTER)
    Campaign.objects.filter(pk=campaign.pk).update(plan="random_goals", dialogues_per_bot=4)
    campaign.refresh_from_db()
    draw_assignments(campaign=campaign)
    first = campaign.assignments.filter(tester=tester).first()
    campaign.assignments.filter(pk=first.pk).update(started_at=timezone.now())
    campaign.assignments.filter(tester=heir).delete()
    join_late(campaign, heir)
    with pytest.raises(CannotTakeOver):
        preview_leave(campaign=campaign, person=tester, to=heir)
    judging_others(campaign)
    moved = preview_leave(campaign=campaign, person=tester, to=heir).moved
    assert {row.bot for row in moved} == {"b"}


def test_bots_of_many_teams_are_asked_for_in_as_many_queries(rivals, tester, django_assert_num_queries):
    for number in range(20):
        team = Team.objects.create(name=f"team {number}")
        bot = Bot.objects.create(team=team, name="x")
        rivals.entries.create(bot=bot, key=f"k{number}", alias=f"Z{number}", url="http://127.0.0.1:9/")
        rivals.team_members.create(team=team, person=Person.objects.create_user(f"member-{number}"))
    with django_assert_num_queries(1):
        interests = Interests(rivals)
        assert len(interests.barred_from(None)) == 21
    with django_assert_num_queries(4):
        ground_of(rivals)
