"""What is next for a person: in one campaign, and right after the login."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.calendar import Doing, why_closed
from campaigns.models import Campaign, CampaignRole, Role
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
from frame.review_steps import DECIDING, REVIEWING, reviewed_counts, reviewing_steps, waiting_counts
from frame.standing import Standing
from frame.step import Step
from frame.team_steps import Expected, TeamStanding, expected_in, team_standings


def steps_in(person: Any, campaign: Campaign, roles: frozenset[str], standing: Standing) -> list[Step]:
    """What the person's roles ask of them now, the most pressing first."""
    return steps_of(person, {campaign: roles}, {campaign.pk: standing})[campaign.pk]


def steps_of(
    person: Any, places: Mapping[Campaign, frozenset[str]], standings: Mapping[int, Standing]
) -> dict[int, list[Step]]:
    """The same for several campaigns, by their ids; asks no more often for many."""
    rows: dict[int, list[AssignmentRow]] = defaultdict(list)
    paused: set[int] = set()
    at = timezone.now()
    if any(Role.TESTER in roles for roles in places.values()):
        paused = _paused_testing(person)
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
    for campaign, roles in places.items():
        asked = steps[campaign.pk] = []
        if Role.TESTER in roles:
            asked.append(_paused(campaign) if campaign.pk in paused else _open_step_of(campaign, rows[campaign.pk], at))
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


def _open_step_of(campaign: Campaign, rows: list[AssignmentRow], at: datetime) -> Step:
    following = next_row(rows)
    is_left = following is not None or campaign.free_choice
    closed = why_next_is_closed(campaign, following, at) if is_left else ""
    return _unless_closed(_for_tester(campaign, rows), closed)


def _paused_testing(person: Any) -> set[int]:
    """The campaigns in which the person is a tester who pauses."""
    held = CampaignRole.objects.held_by(person).filter(role=Role.TESTER)
    return set(held.exclude(paused_at=None).values_list("campaign", flat=True))


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
    return Step(title, text, _address_of(following, url), act, n_done, len(rows))


def _title_of_nothing(rows: list[AssignmentRow]) -> str:
    if any(row.state == PAUSED for row in rows):
        return _("What is left waits for paused systems")
    if any(row.state == BARRED for row in rows):
        return _("What is left goes to other testers")
    return _("All assignments are done") if rows else _("No assignments yet")


def _title_and_act(row: AssignmentRow, number: int) -> tuple[str, str]:
    if row.state == BEGUN:
        return _("Go on with the dialogue that you began"), _("Go on")
    if row.state == TO_SCORE:
        return _("Score the dialogue that you ended"), _("Score it")
    return _("Start assignment %(n)d") % {"n": number}, _("To the assignments")


def _address_of(row: AssignmentRow, list_url: str) -> str:
    return reverse("console", args=[row.dialogue_id]) if row.dialogue_id else list_url


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
        return Step(_("All dialogues are scored"), text, reverse("publication", args=[campaign.slug]), _("Publication"))
    text = _("%(n)d dialogues are open now.") % {"n": standing.n_open}
    wall = reverse("wall", args=[campaign.slug])
    return Step(_("Watch the day"), text, wall, _("Manage"), standing.n_scored, standing.n_expected)


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
    if role == Role.TESTER:
        return "tester-list"
    if role == Role.ORGANIZER:
        return "wall"
    if role in REVIEWING:
        return "review-queue"
    if role == Role.PARTICIPANT and not campaign.is_published:
        return "team" if expected_in([campaign.pk])[campaign.pk].bots else "tasks"
    return "campaign"
