"""What the rows of a board are called outside: by the keys and teams of their entries, or by aliases. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from leaderboards.board import Board, Row


@dataclass(frozen=True, slots=True)
class Named:
    """What a bot is called in a document: `key` tells it apart, `team` is empty where teams are hidden.

    A document holds no `team_en`: pages look it up, so that a name given later changes no digest.
    """

    key: str
    name: str
    team: str = ""
    team_en: str = ""


def with_names(board: Board, names: Mapping[str, Named]) -> Board:
    """The board under those names. Rows that share a rank, and those without one, come in the order of the names they have here:
    any other order could tell who entered first.
    """

    def named(row: Row) -> Row:
        name = names[row.key]
        return replace(row, key=name.key, name=name.name, team=name.team, team_en=name.team_en, page="", links={})

    def place(row: Row) -> tuple[int, str, str, str]:
        return (row.rank or 0, row.team, row.name, row.key)

    rows, unranked = (sorted(map(named, part), key=place) for part in (board.rows, board.unranked))
    return replace(board, rows=tuple(rows), unranked=tuple(unranked))


def renamed_statistics(statistics: Mapping[str, Any], names: Mapping[str, Named]) -> dict[str, Any]:
    """The statistics of a board with the document's keys in the place of those of the rows; empty for empty ones."""
    if not statistics:
        return {}
    rows = {names[key].key: row for key, row in statistics.get("rows", {}).items() if key in names}
    pairs = [
        pair | {"one": names[pair["one"]].key, "other": names[pair["other"]].key}
        for pair in statistics.get("pairs", ())
        if pair["one"] in names and pair["other"] in names
    ]
    # In the order of their names, for the same reason as the rows.
    pairs.sort(key=lambda pair: (pair["one"], pair["other"]))
    return dict(statistics) | {"rows": rows, "pairs": pairs}
