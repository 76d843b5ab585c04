"""What is next for a person: in one campaign, and right after the login."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Person
from automatic_tasks.models import AutomaticTask
from campaigns.calendar import Doing, why_closed
from campaigns.interests import barred_entries
from campaigns.models import Campaign, CampaignRole, Entry, Role, Scenario, TeamMember
from dialogues.progress import (
    BARRED,
    BEGUN,
    DONE,
    PAUSED,
    TO_SCORE,
    AssignmentRow,
    assignment_rows,
    next_row,
    why_next_is_closed,
)
from frame.campaign_progress import Standing
from pairs.actions.opening import judges_of
from pairs.desk import counts_by_campaign
from pairs.models import Pair
from registration.models import Acceptance, Agreement
from reviews.desk import left_to_vet, open_disputes
from reviews.models import ReviewPlace


@dataclass(frozen=True, slots=True)
class Step:
    """A head, a sentence, and where it is done (nowhere, if there is only waiting).

    What is not `to_do` can only be looked at or waited for.
    """

    title: str
    text: str
    url: str = ""
    act: str = ""
    n_done: int = 0
    n_all: int = 0
    to_do: bool = True


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
    asked = {campaign: agreement for campaign, agreement in latest.items() if agreement.is_asked}
    accepted = set(
        Acceptance.objects.filter(agreement__in=latest.values(), team__in=set(teams.values())).values_list(
            "agreement", "team"
        )
    )
    return {
        campaign: TeamStanding(
            n_bots.get((campaign, team), 0),
            must_agree=campaign in asked and (asked[campaign].pk, team) not in accepted,
        )
        for campaign, team in teams.items()
    }


DECIDING = frozenset({Role.ADJUDICATOR, Role.EXPERT})
REVIEWING = DECIDING | {Role.REVIEWER}


def reviewed_counts(person: Any, campaigns: Collection[Campaign]) -> dict[int, tuple[int, int]]:
    """How many of the person's dialogues are reviewed and how many there are, by campaign: one query for all."""
    own = ReviewPlace.objects.filter(reviewer=person, dialogue__assignment__campaign__in=list(campaigns)).held()
    own = own.exclude(dialogue__assignment__entry__in=barred_entries(person))
    counted = own.values_list("dialogue__assignment__campaign").annotate(Count("done_at"), Count("pk"))
    return {campaign: (n_done, n_all) for campaign, n_done, n_all in counted}


def waiting_counts(person: Any, places: Mapping[Campaign, frozenset[str]]) -> Counter[int]:
    """How many decisions and vettings wait for the person, by campaign: one query each for all."""
    disputed = open_disputes([one for one, roles in places.items() if Role.ADJUDICATOR in roles], person)
    to_vet = left_to_vet([one for one, roles in places.items() if Role.EXPERT in roles], person)
    by_campaign: Counter[int] = Counter()
    for waiting, campaign in ((disputed, "dialogue__assignment__campaign"), (to_vet, "assignment__campaign")):
        by_campaign.update(dict(waiting.order_by().values_list(campaign).annotate(Count("pk"))))
    return by_campaign


def reviewing_steps(
    campaign: Campaign, roles: frozenset[str], reviewed: tuple[int, int] = (0, 0), n_waiting: int = 0
) -> list[Step]:
    """What the reviewing roles ask for; a decision that waits comes after the person's own reviews."""
    steps = [_to_review(campaign, *reviewed)] if Role.REVIEWER in roles else []
    if n_waiting or not steps:
        steps.append(_to_decide(campaign, n_waiting))
    return steps


def _to_review(campaign: Campaign, n_done: int, n_all: int) -> Step:
    url = reverse("review-queue", args=[campaign.slug])
    if n_done < n_all:
        text = _("Systems are shown by alias; neither team nor tester is.")
        return Step(_("Review the next dialogue"), text, url, _("To the review"), n_done, n_all)
    if campaign.reviewed_by == "nobody":
        text = _("In this campaign dialogues are only collected.")
        return Step(_("Nothing to review now"), text, to_do=False)
    if campaign.reviewed_by == "self":
        text = _("In this campaign testers score their own dialogues.")
        return Step(_("Nothing to review now"), text, to_do=False)
    title = _("All dialogues are reviewed") if n_all else _("Nothing to review yet")
    return Step(title, _("New ones appear in your list."), url, _("See the list"), n_done, n_all, to_do=False)


def _to_decide(campaign: Campaign, n_waiting: int) -> Step:
    url = reverse("review-queue", args=[campaign.slug])
    if not n_waiting:
        text = _("Dialogues that wait for your decision appear in your list.")
        return Step(_("Nothing to decide now"), text, url, _("See the list"), to_do=False)
    text = ngettext("%(n)d decision waits for you.", "%(n)d decisions wait for you.", n_waiting) % {"n": n_waiting}
    return Step(_("Decide or vet"), text, url, _("See the list"))


def pair_step(campaign: Campaign, n_done: int, at: datetime) -> Step:
    """What a judge of pairs does next."""
    url = reverse("pairs", args=[campaign.slug])
    n_all = max(campaign.pairs_per_judge, n_done)
    if n_done >= n_all:
        text = _("Your list shows what you compared.")
        return Step(_("All pairs are compared"), text, url, _("See the list"), n_done, n_all, to_do=False)
    is_live = campaign.pairs_kind == Pair.Kind.LIVE
    text = (
        _("Each message goes to both systems at once. Then say which one is better; neither is named.")
        if is_live
        else _("Read two dialogues about the same scenario. Then say which system is better; neither is named.")
    )
    step = Step(_("Compare the next pair"), text, url, _("To the pairs"), n_done, n_all)
    return _unless_closed(step, why_closed(campaign, Doing.TEST if is_live else Doing.REVIEW, at))


def steps_in(person: Any, campaign: Campaign, roles: frozenset[str], standing: Standing) -> list[Step]:
    """What the person's roles ask of them now, the most pressing first."""
    return steps_of(person, {campaign: roles}, {campaign.pk: standing})[campaign.pk]


def steps_of(
    person: Any, places: Mapping[Campaign, frozenset[str]], standings: Mapping[int, Standing]
) -> dict[int, list[Step]]:
    """The same for several campaigns, by their ids; asks no more often for many."""
    rows: dict[int, list[AssignmentRow]] = defaultdict(list)
    testing: dict[int, CampaignRole] = {}
    at = timezone.now()
    if any(Role.TESTER in roles for roles in places.values()):
        testing = _tested_in(person)
        for row in assignment_rows(person, only(places), at=at):
            rows[row.assignment.campaign_id].append(row)
    expected: dict[int, Expected] = {}
    standing_of_teams = {}
    if any(Role.PARTICIPANT in roles for roles in places.values()):
        expected = expected_in(standings)
        standing_of_teams = team_standings(person, places.keys())
    is_reviewing = any(Role.REVIEWER in roles for roles in places.values())
    reviewed = reviewed_counts(person, places.keys()) if is_reviewing else {}
    is_deciding = any(DECIDING & roles for roles in places.values())
    waiting = waiting_counts(person, places) if is_deciding else Counter()
    steps: dict[int, list[Step]] = {}
    comparing = [one for one, roles in places.items() if judges_of(one) in roles]
    compared = counts_by_campaign(comparing, person) if comparing else {}
    for campaign, roles in places.items():
        asked = steps[campaign.pk] = []
        if judges_of(campaign) in roles:
            held = testing.get(campaign.pk) if campaign.pairs_kind == Pair.Kind.LIVE else None
            is_paused = held is not None and held.paused_at is not None
            asked.append(_paused(campaign) if is_paused else pair_step(campaign, compared.get(campaign.pk, 0), at))
        if Role.TESTER in roles and not campaign.has_pairs_alone:
            asked.append(_testing_step(campaign, testing.get(campaign.pk), rows[campaign.pk], at))
        if Role.ORGANIZER in roles:
            asked.append(_for_organizer(campaign, standings[campaign.pk], at))
        if Role.PARTICIPANT in roles:
            team = standing_of_teams.get(campaign.pk)
            asked.append(_for_participant(campaign, team, expected[campaign.pk], at))
        if REVIEWING & roles:
            closed = why_closed(campaign, Doing.REVIEW, at)
            found = reviewing_steps(campaign, roles, reviewed.get(campaign.pk, (0, 0)), waiting[campaign.pk])
            # What is closed says the same of each.
            asked.extend([_unless_closed(found[0], closed)] if closed else found)
    return steps


def _testing_step(campaign: Campaign, held: CampaignRole | None, rows: list[AssignmentRow], at: datetime) -> Step:
    if held is not None and held.paused_at is not None:
        return _paused(campaign)
    following = next_row(rows)
    is_left = following is not None or campaign.free_choice
    closed = why_next_is_closed(campaign, held.hours if held else "", following, at) if is_left else ""
    return _unless_closed(_for_tester(campaign, rows), closed)


def _tested_in(person: Any) -> dict[int, CampaignRole]:
    """The person's role as a tester, by campaign, with its pause and its shift."""
    held = CampaignRole.objects.held_by(person).filter(role=Role.TESTER)
    return {one.campaign_id: one for one in held}


def _paused(campaign: Campaign) -> Step:
    url = reverse("tester-list", args=[campaign.slug])
    return Step(_("You are paused"), _("Your list says since when and why."), url, _("See the list"), to_do=False)


def _unless_closed(step: Step, closed: str) -> Step:
    """The step, or why the campaign's dates do not allow it now, with the way to what there is to read."""
    if not closed:
        return step
    act = _("See the list") if step.url else ""
    return replace(step, title=_("Not open now"), text=closed, act=act, to_do=False)


def only(places: Mapping[Campaign, Any]) -> Campaign | None:
    """The campaign where there is one alone: its assignments are asked for then, not those of all campaigns."""
    return next(iter(places)) if len(places) == 1 else None


def _for_tester(campaign: Campaign, rows: list[AssignmentRow]) -> Step:
    following = next_row(rows)
    n_done = sum(row.state == DONE for row in rows)
    url = reverse("tester-list", args=[campaign.slug])
    if following is None:
        if campaign.free_choice:
            return Step(_("Open a dialogue"), _("Choose a system and a scenario."), url, _("Choose"), n_done, len(rows))
        title, text = _title_of_nothing(rows), _("New ones appear in your list.")
        return Step(title, text, url, _("See the list"), n_done, len(rows), to_do=False)
    title, act = _title_and_act(following, n_done + 1)
    text = _("%(scenario)s, system %(alias)s") % {
        "scenario": following.assignment.scenario.title,
        "alias": following.assignment.entry.alias,
    }
    address = reverse("console", args=[following.dialogue_id]) if following.dialogue_id else url
    return Step(title, text, address, act, n_done, len(rows))


def _title_of_nothing(rows: list[AssignmentRow]) -> str:
    if any(row.state == PAUSED for row in rows):
        return _("What is left waits for paused systems")
    if any(row.state == BARRED for row in rows):
        return _("What is left goes to other testers")
    return _("All assignments are done") if rows else _("No assignments yet")


def _title_and_act(row: AssignmentRow, number: int) -> tuple[str, str]:
    if row.state == BEGUN:
        return _("Continue your dialogue"), _("Continue")
    if row.state == TO_SCORE:
        return _("Score the dialogue that you ended"), _("Score it")
    return _("Start assignment %(n)d") % {"n": number}, _("To the assignments")


def _for_organizer(campaign: Campaign, standing: Standing, at: datetime) -> Step:
    url = reverse("organize", args=[campaign.slug])
    if campaign.is_published:
        return Step(
            _("The leaderboard is published"),
            _("Records and exports are on the page of the organizers."),
            url,
            _("Manage"),
            to_do=False,
        )
    if ended := why_closed(campaign, Doing.ORGANIZE, at):
        url = reverse("calendar", args=[campaign.slug])
        return Step(_("The campaign has ended"), ended, url, _("Calendar"), to_do=False)
    if standing.stage.key == "tested":
        text = _("Check the leaderboard, then publish it.")
        url = reverse("publication", args=[campaign.slug])
        # Where testers choose freely, more may come until testing is over: nothing presses.
        is_over = not campaign.free_choice or bool(why_closed(campaign, Doing.TEST, at))
        return Step(_("All dialogues are scored"), text, url, _("Publication"), to_do=is_over)
    if standing.stage.key == "preparing" and not (standing.n_assigned or campaign.free_choice or standing.is_imported):
        url = reverse("campaign", args=[campaign.slug])
        return Step(_("Set up the campaign"), _("Its page lists what the first dialogue needs."), url, _("Continue"))
    text = ngettext("%(n)d dialogue is open now.", "%(n)d dialogues are open now.", standing.n_open)
    wall = reverse("wall", args=[campaign.slug])
    return Step(
        _("View live progress"),
        text % {"n": standing.n_open},
        wall,
        _("Manage"),
        standing.n_scored,
        standing.n_expected,
        to_do=False,
    )


def _for_participant(campaign: Campaign, team: TeamStanding | None, expected: Expected, at: datetime) -> Step:
    if campaign.is_published:
        url = reverse("leaderboard", args=[campaign.slug])
        text = _("It shows the scores of your system.")
        return Step(_("The leaderboard is published"), text, url, _("Leaderboard"), to_do=False)
    team_url = reverse("team", args=[campaign.slug])
    if team is not None and team.must_agree:
        text = _("Before that, your team registers no systems and downloads no data.")
        return Step(_("Accept the agreement"), text, team_url, _("Read it"))
    lacks_bot = expected.bots and team is not None and not team.n_bots
    if lacks_bot and not why_closed(campaign, Doing.ENTER_BOT, at):
        text = _("Enter its address: then testers can talk to it.")
        return Step(_("Register your system"), text, team_url, _("To our team"))
    if expected.runs:
        url = reverse("tasks", args=[campaign.slug])
        closed = why_closed(campaign, Doing.RUN, at)
        text = closed or _("The automatic evaluation accepts runs from your team.")
        title = _("Not open now") if closed else _("Hand in a run")
        return Step(title, text, url, _("To the tasks"), to_do=not closed)
    text = _("Scores appear here once they are published.")
    return Step(_("Nothing to do now"), text, team_url, _("To our team"), to_do=False)


def landing(person: Person) -> str:
    """Where a person goes after the login: to the one thing they do, or else to their campaigns."""
    if person.must_set_up_second_factor() and (
        person.is_staff or CampaignRole.objects.filter(person=person, role=Role.ORGANIZER).exists()
    ):
        return reverse("second-factor")
    places = list(CampaignRole.objects.held_by(person).select_related("campaign"))
    if len({place.campaign_id for place in places}) != 1:
        return reverse("home")
    campaign = places[0].campaign
    page = _page_of(places[0].role, campaign) if len(places) == 1 else "campaign"
    return reverse(page, args=[campaign.slug])


def _page_of(role: str, campaign: Campaign) -> str:
    if role == judges_of(campaign):
        return "pairs"
    if role == Role.TESTER:
        return "tester-list"
    if role == Role.ORGANIZER:
        return "wall"
    if role in REVIEWING:
        return "review-queue"
    if role == Role.PARTICIPANT and not campaign.is_published:
        return "team" if expected_in([campaign.pk])[campaign.pk].bots else "tasks"
    return "campaign"
