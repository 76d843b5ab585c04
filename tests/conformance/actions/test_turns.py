"""Teams take turns at being checked: one team's bots keep no other team waiting, however many they are and however long they hang."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.actions.entering import new_entry
from conformance.actions import ask_check, claim_check, end_check
from conformance.actions import checks as leases
from conformance.actions.checks import LEASE, OF_A_TEAM, in_turn
from conformance.models import Check, CheckState
from conformance.system_kinds import BOTS
from participants.models import Bot, Team

NOW = timezone.now()
SECOND = timedelta(seconds=1)


@pytest.fixture
def ask(campaign):
    """Asks for checks of a team's bots, a second after each other."""
    teams, asked = {}, []

    def ask_for(team, n):
        made = teams.setdefault(team, Team.objects.get_or_create(name=team)[0])
        for _ in range(n):
            name = f"{team}{len(asked)}"
            bot = Bot.objects.create(team=made, name=name)
            entry = new_entry(campaign, bot, key=name.lower(), protocol="huace/1", url="http://127.0.0.1:9/")
            asked.append(ask_check(BOTS, system=entry, by=None, at=NOW + len(asked) * SECOND))

    return ask_for


def claimed(n, at=NOW + 60 * SECOND):
    """The bots of the next checks that a worker gets; None where it gets none."""
    checks = [claim_check(BOTS, worker="w", at=at + number * SECOND) for number in range(n)]
    return [check and check.entry.bot.name for check in checks]


def end(name, at):
    end_check(BOTS, check=Check.objects.get(entry__bot__name=name, state="running"), worker="w", results=[], at=at)


@pytest.mark.django_db
def test_seven_hanging_bots_of_one_team_keep_another_team_waiting_for_nothing(ask):
    ask("A", 7)
    ask("B", 1)
    # Team B asked last, and comes second; of team A no more than two are ever checked at a time.
    assert claimed(4) == ["A0", "B7", "A1", None]
    assert OF_A_TEAM == 2


@pytest.mark.django_db
def test_teams_take_turns_in_the_order_in_which_they_were_checked_last(ask):
    ask("A", 3)
    ask("B", 3)
    ask("C", 1)
    assert claimed(3) == ["A0", "B3", "C6"]
    for number, name in enumerate(("C6", "B3", "A0")):
        end(name, NOW + (70 + number) * SECOND)
    assert claimed(4, NOW + 80 * SECOND) == ["A1", "B4", "A2", "B5"]


@pytest.mark.django_db
def test_a_check_whose_worker_died_is_no_place_of_its_team(ask):
    ask("A", 3)
    assert claimed(3) == ["A0", "A1", None]
    after = NOW + 60 * SECOND + LEASE + 10 * SECOND
    assert claimed(3, after) == ["A0", "A1", None]
    assert Check.objects.filter(state=CheckState.RUNNING, lease_until__gte=after).count() == 2


@pytest.fixture
def meanwhile(monkeypatch):
    """Has something happen between a worker's look at the queue and its claim."""

    def happens(act):
        def in_turn_late(*given):
            monkeypatch.setattr(leases, "in_turn", in_turn)
            act()
            return in_turn(*given)

        monkeypatch.setattr(leases, "in_turn", in_turn_late)

    return happens


@pytest.mark.django_db
def test_a_check_that_another_worker_claims_meanwhile_stays_theirs(ask, meanwhile):
    ask("A", 1)
    meanwhile(lambda: claim_check(BOTS, worker="first", at=NOW + 60 * SECOND))
    assert claim_check(BOTS, worker="second", at=NOW + 60 * SECOND) is None
    assert Check.objects.get().worker == "first"


@pytest.mark.django_db
def test_a_check_that_is_deleted_meanwhile_is_passed_over(ask, meanwhile):
    ask("A", 1)
    ask("B", 1)
    meanwhile(Check.objects.filter(entry__bot__name="A0").delete)
    assert claimed(1) == ["B1"]
