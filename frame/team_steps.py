"""What a participant's team has to do, in several campaigns at once: as many queries for many as for one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from accounts.models import Person
from automatic_tasks.models import AutomaticTask
from campaigns.models import Campaign, Entry, Scenario, TeamMember
from registration.models import Acceptance, Agreement


@dataclass(frozen=True, slots=True)
class TeamStanding:
    n_bots: int
    must_agree: bool


@dataclass(frozen=True, slots=True)
class Expected:
    """What a campaign wants of its teams: systems that testers talk to, runs of automatic tasks, or both."""

    bots: bool
    runs: bool


def expected_in(campaigns: Iterable[int]) -> dict[int, Expected]:
    """By the ids of the campaigns. Where there are tasks, systems are expected if there is one, or something to talk about."""
    tasks = AutomaticTask.objects.filter(campaign=OuterRef("pk"))
    entries = Entry.objects.declared().filter(campaign=OuterRef("pk"))
    scenarios = Scenario.objects.tested().filter(campaign=OuterRef("pk"))
    told = (
        Campaign.objects.filter(pk__in=campaigns)
        .order_by()
        .values_list("pk", Exists(tasks), Exists(entries), Exists(scenarios))
    )
    return {
        pk: Expected(bots=has_bots or has_scenarios or not has_tasks, runs=has_tasks)
        for pk, has_tasks, has_bots, has_scenarios in told
    }


def team_standings(person: Person, campaigns: Collection[Campaign]) -> dict[int, TeamStanding]:
    """By the ids of the campaigns in which the person has a team."""
    places = TeamMember.objects.filter(person=person, campaign__in=campaigns)
    teams = dict(places.values_list("campaign", "team"))
    entered = Entry.objects.declared().filter(campaign__in=teams, bot__team__in=set(teams.values()))
    rows = entered.order_by().values_list("campaign", "bot__team").annotate(n=Count("pk"))
    n_bots = {(campaign, team): n for campaign, team, n in rows}
    # In the order of their versions: the latest of each campaign stays.
    latest = {one.campaign_id: one for one in Agreement.objects.filter(campaign__in=teams).order_by("version")}
    accepted = set(
        Acceptance.objects.filter(agreement__in=latest.values(), team__in=set(teams.values())).values_list(
            "agreement", "team"
        )
    )
    return {
        campaign: TeamStanding(n_bots.get((campaign, team), 0), _must_agree(latest.get(campaign), team, accepted))
        for campaign, team in teams.items()
    }


def _must_agree(agreement: Agreement | None, team: int, accepted: Collection[tuple[int, int]]) -> bool:
    return agreement is not None and agreement.is_asked and (agreement.pk, team) not in accepted
