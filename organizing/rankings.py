"""Compares two rankings of a campaign, as a page and for programs: leaderboard, frozen ones, boards of tasks, combined boards."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from api.answers import From, encoded
from api.describing import describes
from api.paging import asked_in
from api.problems import problem_answer
from automatic_tasks.boards.task_boards import board as board_of_task
from automatic_tasks.combined.boards import Reader, combined_board
from automatic_tasks.models import AutomaticTask, CombinedBoard, Split
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Role
from leaderboards.board import Board
from leaderboards.explanations import other_ranking
from leaderboards.live_board import board_of, names_of, stored_board
from participants.models import Bot
from participants.team_names import called
from publication.models import Snapshot
from reading.kinds import ANY_TEXT

LEADERBOARD = "leaderboard"


@dataclass(frozen=True, slots=True)
class Place:
    """The rank of one row; `system` is the id of its entry as a text, empty for a run and for a team of a combined board."""

    team: str
    rank: int
    system: str = ""
    team_en: str = ""


Places = list[Place]


@dataclass(frozen=True, slots=True)
class Choice:
    """A board that can be compared: its key for addresses, its name, and what ranks it gives."""

    key: str
    name: str
    places: Callable[[], Places]
    ranks_systems: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """What a team or system is called, and in English where its team gave a name."""

    name: str
    in_english: str = ""

    def __str__(self) -> str:
        """For the reader."""
        return called(self.name, self.in_english)


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of both rankings."""

    name: Name
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Compared:
    """`tau` holds n, tau-b, its interval and p; None where either has all rows tied, or fewer than two are on both.

    `only_one` and `only_other` name what the other board does not rank.
    """

    one: Choice
    other: Choice
    by_team: bool
    pairs: tuple[Pair, ...]
    only_one: tuple[Name, ...]
    only_other: tuple[Name, ...]
    tau: Mapping[str, Any] | None


def choices(campaign: Campaign) -> list[Choice]:
    """All boards of the campaign; none of them is made yet."""
    people = Choice(LEADERBOARD, _("Leaderboard"), partial(_live, campaign), ranks_systems=True)
    frozen = [
        Choice(
            f"{LEADERBOARD}/{snapshot.number}",
            _("Frozen leaderboard %(number)s") % {"number": snapshot.number},
            partial(_frozen, campaign, snapshot),
            ranks_systems=True,
        )
        for snapshot in campaign.snapshots.of_leaderboard().order_by("-number").defer("board")
    ]
    combined = [
        Choice(f"boards/{board.key}", board.name, partial(_combined, board))
        for board in campaign.combined_boards.select_related("campaign__rubric")
    ]
    tasks = [
        Choice(f"tasks/{task.key}/{split}", f"{task.name} · {split.label}", partial(_runs, task, split))
        for task in campaign.automatic_tasks.select_related("campaign")
        for split in task.splits
    ]
    return [people, *combined, *tasks, *frozen]


def _live(campaign: Campaign) -> Places:
    return [
        Place(row.team, row.rank, row.key, row.team_en)
        for row in board_of(campaign, stored_board(campaign).rows).rows
        if row.rank is not None
    ]


def _frozen(campaign: Campaign, snapshot: Snapshot) -> Places:
    entries = {named.key: entry for entry, named in names_of(campaign, hides_teams=snapshot.hides_teams).items()}
    named = campaign.entries.values_list("pk", "bot__team__name", "bot__team__name_en")
    teams = {str(pk): names for pk, *names in named}
    rows = [row for row in json.loads(snapshot.board)["rows"] if row["key"] in entries]
    ranks = [(entries[row["key"]], row["rank"]) for row in rows]
    return [Place(teams[system][0], rank, system, teams[system][1]) for system, rank in ranks]


def _combined(board: CombinedBoard) -> Places:
    return _of_teams(combined_board(board, Reader(frozenset({Role.ORGANIZER}), timezone.now())))


def _runs(task: AutomaticTask, split: Split) -> Places:
    return _of_teams(board_of_task(task, split))


def _of_teams(board: Board) -> Places:
    """Baselines and printed figures are nobody's."""
    return [Place(row.team, row.rank, team_en=row.team_en) for row in board.rows if row.team and row.rank is not None]


def compare(campaign: Campaign, one: Choice, other: Choice) -> Compared:
    """By system where both boards rank systems, else by team: of several systems of a team the best ranked one speaks for it."""
    from measures.board_statistics import tau_of

    by_team = not (one.ranks_systems and other.ranks_systems)
    places, other_places = one.places(), other.places()
    ranks, other_ranks = (_ranks(found, by_team=by_team) for found in (places, other_places))
    both = [key for key in ranks if key in other_ranks]
    if by_team:
        names = {one.team: Name(one.team, one.team_en) for one in (*places, *other_places)}
    else:
        names = {str(one.pk): _name_of_system(one.bot) for one in campaign.entries.select_related("bot__team")}
    return Compared(
        one=one,
        other=other,
        by_team=by_team,
        pairs=tuple(Pair(names[key], ranks[key], other_ranks[key]) for key in both),
        only_one=_only(ranks, other_ranks, names),
        only_other=_only(other_ranks, ranks, names),
        tau=tau_of([ranks[key] for key in both], [other_ranks[key] for key in both]),
    )


def _ranks(places: Places, *, by_team: bool) -> dict[str, int]:
    """In the order of the ranks."""
    found: dict[str, int] = {}
    for place in sorted(places, key=lambda one: one.rank):
        found.setdefault(place.team if by_team else place.system, place.rank)
    return found


def _name_of_system(bot: Bot) -> Name:
    team_en = bot.team.name_en
    in_english = f"{team_en} · {team_en if bot.name == bot.team.name else bot.name}" if team_en else ""
    return Name(f"{bot.team.name} · {bot.name}", in_english)


def _only(ranks: Iterable[str], others: Mapping[str, int], names: Mapping[str, Name]) -> tuple[Name, ...]:
    return tuple(names[key] for key in ranks if key not in others)


def chosen(found: list[Choice], one: str, other: str) -> tuple[Choice, Choice]:
    """Those that were asked for; the first two where nothing was. Errors: `KeyError` for a board that there is not."""
    by_key = {choice.key: choice for choice in found}
    named = by_key[one] if one else None, by_key[other] if other else None
    rest = [choice for choice in found if choice not in named] or found
    first = named[0] or rest[0]
    return first, named[1] or next((choice for choice in rest if choice is not first), first)


@for_roles(Role.ORGANIZER)
@require_GET
def compare_boards(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found = choices(campaign)
    try:
        one, other = chosen(found, request.GET.get("one", ""), request.GET.get("other", ""))
    except KeyError as unknown:
        raise Http404 from unknown
    compared = compare(campaign, one, other)
    tau = other_ranking(other.name, compared.tau) if compared.tau else None
    context = {"campaign": campaign, "choices": found, "compared": compared, "tau": tau}
    return render(request, "organizing/comparing/boards.html", context)


def _of_tau(figure: str) -> From:
    return From(lambda compared: (compared.tau or {}).get(figure))


class ComparedRow(TypedDict):
    """The ranks of a team or system on both boards."""

    name: Annotated[str, From("name.name")]
    one: int
    other: int
    name_en: Annotated[str, From("name.in_english")]


class ComparedAnswer(TypedDict):
    """Kendall's tau-b of the ranks on two boards, with its bootstrap interval over the rows; null where it is undefined.

    `by` is `system` where both rank systems, else `team`.
    """

    one: Annotated[str, From("one.key")]
    other: Annotated[str, From("other.key")]
    by: Annotated[str, From(lambda compared: "team" if compared.by_team else "system")]
    n: Annotated[int, From(lambda compared: len(compared.pairs))]
    tau: Annotated[float | None, _of_tau("tau")]
    interval: Annotated[list[float] | None, _of_tau("interval")]
    p: Annotated[float | None, _of_tau("p")]
    rows: Annotated[list[ComparedRow], From("pairs")]
    only_one: Annotated[list[str], From(lambda compared: [one.name for one in compared.only_one])]
    only_other: Annotated[list[str], From(lambda compared: [one.name for one in compared.only_other])]


class BoardChoice(TypedDict):
    key: str
    name: str


class ComparedBoards(ComparedAnswer):
    """`boards` are those that can be named by `one` and `other`."""

    boards: list[BoardChoice]


ASKED = {"one": ANY_TEXT, "other": ANY_TEXT}


class CompareBoards(OrganizersView):
    @describes("Gives Kendall's tau of the rankings of two boards", ComparedBoards, asks=ASKED)
    def get(self, request: Request) -> Any:
        asked, found = asked_in(request, ASKED), choices(self.campaign)
        try:
            one, other = chosen(found, asked.get("one", ""), asked.get("other", ""))
        except KeyError as unknown:
            known = ", ".join(choice.key for choice in found)
            told = {"name": unknown.args[0], "known": known}
            return problem_answer(
                400, "unknown_board", lambda: _("There is no board “%(name)s”; there are %(known)s.") % told
            )
        return encoded(ComparedBoards, compare(self.campaign, one, other), boards=found)
