"""runs.jsonl and combined.json: what the bundle of a combined board, or of a board of runs, has beside the files of the leaderboard."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verification.bundle_format import COMBINED, RUNS, as_document, as_line

Object = dict[str, Any]
Chunks = list[tuple[bytes, int | None]]


@dataclass(frozen=True, slots=True)
class CombinedFiles:
    """The figures of runs that the board uses, one line per team and part, and the board (`verification/combined.py`).

    Of a board without people's figures these are the whole bundle: nobody learns from it what testers said.
    """

    runs: Sequence[Object]
    board: Object
    has_people: bool


# Called while the bundle is written, so that all of it is of one state of the database.
Combined = Callable[[], CombinedFiles]


def combined_members(files: CombinedFiles) -> Iterator[tuple[str, Chunks]]:
    """Each file with its content and how many rows it has, where it has any. There are as many rows as teams: they are written whole."""
    yield RUNS, [("".join(map(as_line, files.runs)).encode(), len(files.runs))]
    yield COMBINED, [(as_document(files.board), None)]
