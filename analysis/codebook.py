"""Writes docs/codebook.md from `analysis/columns.py`: python -m analysis.codebook > docs/codebook.md. Pure; a test keeps the file current."""

import sys
from collections.abc import Iterator

from analysis.columns import FRAMES, OF_CRITERION, Column, FrameColumns
from leaderboards.table_files.column_kinds import Flag, Number, Time, Whole

HEAD = """\
# Codebook of the frames

Written from `analysis/columns.py` by `python -m analysis.codebook`. [analysis.md](analysis.md) says how to get the frames. Times are UTC. An empty cell is `NA`, `NaN` or
`NaT`; a column that never is empty says nothing of it. People are renumbered in every bundle.
"""
TYPES = {Whole: "Int64", Flag: "boolean", Number: "float64", Time: "datetime64[us, UTC]"}


def codebook() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for name, one in FRAMES.items() for line in _section(name, one))])


def _section(name: str, described: FrameColumns) -> Iterator[str]:
    key = " × ".join(f"`{one}`" for one in described.key)
    yield f"## `{name}`"
    yield f"One row is {described.row}. Read from `{described.file}`. Key: {key}.\n"
    yield "| column | type | unit | what it holds |"
    yield "|---|---|---|---|"
    yield from (_row(f"`{column}`", one) for column, one in described.columns.items())
    if name == "records":
        yield _row("each scale of the rubric, by its key", OF_CRITERION)
    yield ""


def _row(name: str, column: Column) -> str:
    kind = "category" if column.is_category else TYPES.get(type(column.kind), "str")
    told = [column.about]
    if column.one_of:
        told.append("one of " + ", ".join(f"`{one}`" if one else "empty" for one in column.one_of))
    if column.refers_to:
        told.append(f"as in `{column.refers_to}`")
    if column.missing:
        told.append(f"empty: {column.missing}")
    return f"| {name} | {kind} | {column.unit} | {'; '.join(told)} |"


if __name__ == "__main__":
    sys.stdout.write(codebook())
