"""Two rankings of one's choice beside each other: the leaderboard, frozen ones, boards of tasks and combined boards."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from automatic_tasks.boards import board as board_of_task
from automatic_tasks.combined_boards import Reader, combined_board
from automatic_tasks.models import AutomaticTask, CombinedBoard, Split
from campaigns.models import Campaign, Role
from leaderboards.board import Board
from leaderboards.live_board import board_of, names_of, stored_board
from participants.models import Bot
from participants.team_names import called
from publication.models import Snapshot

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
    return [_place_of(entries[row["key"]], row["rank"], *teams[entries[row["key"]]]) for row in rows]


def _place_of(system: str, rank: int, team: str, team_en: str) -> Place:
    return Place(team, rank, system, team_en)


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
    names = _names_of_teams([*places, *other_places]) if by_team else _names_of_systems(campaign)
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


def _names_of_teams(places: Places) -> dict[str, Name]:
    return {one.team: Name(one.team, one.team_en) for one in places}


def _names_of_systems(campaign: Campaign) -> dict[str, Name]:
    return {str(one.pk): _name_of_system(one.bot) for one in campaign.entries.select_related("bot__team")}


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


def document_of(compared: Compared) -> dict[str, Any]:
    """What programs get; tau and its companions are null where nothing can be said."""
    told = compared.tau or {}
    return {
        "one": compared.one.key,
        "other": compared.other.key,
        "by": "team" if compared.by_team else "system",
        "n": len(compared.pairs),
        "tau": told.get("tau"),
        "interval": told.get("interval"),
        "p": told.get("p"),
        "rows": [
            {"name": pair.name.name, "one": pair.one, "other": pair.other, "name_en": pair.name.in_english}
            for pair in compared.pairs
        ],
        "only_one": [one.name for one in compared.only_one],
        "only_other": [one.name for one in compared.only_other],
    }
