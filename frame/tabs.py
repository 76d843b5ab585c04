"""The rooms of a campaign as tabs: which of them a person sees, and which one a page belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from automatic_tasks.combined.access import key_of_run_board, published_run_boards
from automatic_tasks.combined.boards import Reader, visible_combined_boards
from automatic_tasks.models import Split
from campaigns.models import Campaign, Role
from organizing.correlations import with_metrics
from pairs.actions.opening import judges_of
from publication.models import Publication


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    label: Promise | str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Room:
    """One room: its page, the first parts of paths that belong to it, and whom it is for (nobody named: see `is_seen`)."""

    key: str
    label: Promise
    page: str
    segments: frozenset[str]
    roles: frozenset[str]


@dataclass(frozen=True, slots=True)
class Group:
    """Pages of the managing room that belong together: where they start, which is also the first part of their paths, and
    what they are called.
    """

    key: str
    label: Promise
    pages: tuple[tuple[str, Promise], ...]


MANAGING_GROUPS = (
    Group(
        "day",
        _("Live"),
        (
            ("wall", _("At a glance")),
            ("dialogues", _("Dialogues")),
            ("failures", _("Failures")),
            ("problems", _("Reports from testers")),
            ("objections", _("Objections")),
            ("replays", _("Replays")),
        ),
    ),
    Group(
        "plan",
        _("People and plan"),
        (
            ("people", _("People")),
            ("studies", _("Studies")),
            ("teams", _("Teams")),
            ("scenarios", _("Scenarios")),
            ("coverage", _("Coverage")),
            ("assignments", _("Assignments to do")),
            ("rehearsals", _("Rehearsal")),
        ),
    ),
    Group(
        "reviewing",
        _("Reviewing"),
        (
            ("panels", _("Panels")),
            ("agreement", _("Agreement of the reviewers")),
            ("revisions", _("Requests to revise")),
            ("judges", _("Judges")),
            ("pair-progress", _("Pairs")),
        ),
    ),
    Group(
        "rules",
        _("Rules"),
        (
            ("calendar", _("Calendar")),
            ("description", _("Description")),
            ("settings", _("Settings")),
            ("rubric", _("Rubric")),
            ("faults", _("What a failure costs")),
            ("file", _("Campaign file")),
            ("models", _("Language models")),
            ("webhooks", _("Webhooks")),
            ("removal", _("Archive and delete")),
        ),
    ),
    Group(
        "results",
        _("Results"),
        (
            ("organize", _("Systems and exports")),
            ("imports", _("Imports")),
            ("publication", _("Publication")),
            ("programs", _("People and programs")),
            ("comparison", _("Compare campaigns")),
            ("trail", _("Trail")),
        ),
    ),
)

# Pages of the lab are a team's own; for an organizer they are part of the teams' page.
LAB = frozenset({"bots", "checks"})
# Path segments of other roles' rooms, and the managing page each belongs to for an organizer; the scoring guide is under `review`.
LENT = dict.fromkeys(LAB, "teams") | {"review": "panels"}
ROOMS = (
    Room("overview", _("Overview"), "campaign", frozenset({"", "apply", "about"}), frozenset(Role.values)),
    Room("testing", _("Testing"), "tester-list", frozenset({"testing"}), frozenset({Role.TESTER})),
    Room("pairs", _("Pairs"), "pairs", frozenset({"pairs"}), frozenset({Role.TESTER, Role.REVIEWER})),
    Room(
        "review",
        _("Review"),
        "review-queue",
        frozenset({"review"}),
        frozenset({Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT}),
    ),
    Room("team", _("Our team"), "team", frozenset({"team"}) | LAB, frozenset({Role.PARTICIPANT})),
    Room(
        "automatic",
        _("Automatic evaluation"),
        "tasks",
        frozenset({"tasks", "runs", "task-setup", "services", "service-checks"}),
        frozenset({Role.PARTICIPANT, Role.ORGANIZER}),
    ),
    Room(
        "leaderboard",
        _("Leaderboard"),
        "leaderboard",
        frozenset({"leaderboard", "correlations", "boards", "rankings"}),
        frozenset({Role.ORGANIZER}),
    ),
    Room(
        "managing",
        _("Manage"),
        "wall",
        frozenset(page for group in MANAGING_GROUPS for page, _label in group.pages) | LENT.keys(),
        frozenset({Role.ORGANIZER}),
    ),
)

BOARD_PAGES = (
    ("leaderboard", _("Leaderboard")),
    ("correlations", _("Metrics and people")),
    ("rankings", _("Compare rankings")),
)


def tabs_of(campaign: Campaign, roles: frozenset[str], path: str) -> list[Tab]:
    """The tabs of a campaign for somebody who holds those roles, on the page with that path; a page is in the first room that has it."""
    segment = segment_of(path, campaign.slug)
    rooms = [room for room in ROOMS if is_seen(room, campaign, roles)]
    current = next((room for room in rooms if segment in room.segments), None)
    return [Tab(room.key, room.label, reverse(room.page, args=[campaign.slug]), room is current) for room in rooms]


def pages_of_room(campaign: Campaign, tabs: list[Tab], path: str, roles: frozenset[str]) -> list[Tab]:
    """The pages of the room that the path is in, for somebody who sees its tab; none where the room is one page."""
    current = next((tab.key for tab in tabs if tab.is_current), "")
    if current == "leaderboard":
        pages = _pages_of_boards(campaign, path, roles)
        return pages if len(pages) > 1 else []
    group = _group_of(path, campaign) if current == "managing" else None
    if group is None:
        return []
    # Pairs stand in the menu where somebody compares them.
    shown = [page for page in group.pages if page[0] != "pair-progress" or judges_of(campaign)]
    return _pages(shown, campaign, path)


def groups_of_room(campaign: Campaign, tabs: list[Tab], path: str) -> list[Tab]:
    """The groups of the managing room's pages, each leading to its first page, for somebody who sees its tab: they stand in its place."""
    managing = next((tab for tab in tabs if tab.key == "managing"), None)
    if managing is None:
        return []
    current = _group_of(path, campaign) if managing.is_current else None
    return [
        Tab(group.key, group.label, reverse(group.pages[0][0], args=[campaign.slug]), group is current)
        for group in MANAGING_GROUPS
    ]


def _page_in(path: str, campaign: Campaign) -> str:
    segment = segment_of(path, campaign.slug) or ""
    return LENT.get(segment, segment)


def _group_of(path: str, campaign: Campaign) -> Group | None:
    segment = _page_in(path, campaign)
    return next((group for group in MANAGING_GROUPS if any(segment == page for page, _label in group.pages)), None)


def _pages(named: Sequence[tuple[str, Promise]], campaign: Campaign, path: str) -> list[Tab]:
    segment = _page_in(path, campaign)
    return [Tab(page, label, reverse(page, args=[campaign.slug]), segment == page) for page, label in named]


def _pages_of_boards(campaign: Campaign, path: str, roles: frozenset[str]) -> list[Tab]:
    """The leaderboard, the boards that join it with others, the comparison of metrics where there are any, and that of rankings."""
    now = timezone.now()
    leaderboard, metrics, rankings = _pages(BOARD_PAGES, campaign, path)
    combined = []
    for board in visible_combined_boards(campaign, Reader(roles, now)):
        url = reverse("combined-board", args=[campaign.slug, board.key])
        combined.append(Tab(f"boards/{board.key}", board.name, url, path == url))
    combined += _boards_of_runs(campaign, path, now)
    # Without a metric that page is empty, and only organizers could change that.
    if Role.ORGANIZER in roles:
        return [leaderboard, *combined, metrics, rankings]
    has_metrics = with_metrics(now).filter(pk=campaign.pk).exists()
    return [leaderboard, *combined, *([metrics] if has_metrics else [])]


def _boards_of_runs(campaign: Campaign, path: str, at: datetime) -> list[Tab]:
    """The boards of tasks that were frozen and published."""
    public = published_run_boards(campaign, at)
    tasks = campaign.automatic_tasks.all() if public else ()
    tabs = []
    for task in tasks:
        if key_of_run_board(task, Split.HIDDEN) in public:
            url = reverse("task-board", args=[campaign.slug, task.key, Split.HIDDEN])
            tabs.append(Tab(f"tasks/{task.key}", task.name, url, path == url))
    return tabs


def is_seen(room: Room, campaign: Campaign, roles: frozenset[str]) -> bool:
    """Each room is for its roles; overview and leaderboard are everybody's once they are public."""
    if room.key == "automatic":
        # An organizer's empty room says how tasks are loaded; a team's would say nothing.
        return bool(room.roles & roles) and (Role.ORGANIZER in roles or campaign.automatic_tasks.exists())
    if room.key == "pairs":
        return judges_of(campaign) in roles
    if room.key == "testing" and campaign.has_pairs_alone:
        # Single dialogues are none of what its testers do.
        return False
    if room.key == "leaderboard" and campaign.is_published:
        return True
    if room.key == "overview" and campaign.is_public:
        return True
    if room.roles & roles:
        return True
    # A board without people's figures may be public while people still score: the campaign is not published then, but the room has a page.
    public = Publication.objects.public(timezone.now()).filter(snapshot__campaign=campaign)
    return room.key == "leaderboard" and public.exists()


def segment_of(path: str, slug: str) -> str | None:
    """The part of the path after the campaign; None for a path outside of it."""
    start = reverse("campaign", args=[slug])
    return path.removeprefix(start).partition("/")[0] if path.startswith(start) else None
