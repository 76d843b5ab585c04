"""Rooms, files and functions stay small enough to be read (style: size, as a habit)."""

import ast
from collections import Counter
from pathlib import Path
from statistics import median, quantiles

from tests.test_house import ROOMS, files_of, name_of

FILE_LINES = 350
FUNCTION_LINES = 60
SHARE_OF_A_ROOM = 0.25


def lengths_of_functions(path: Path) -> dict[str, int]:
    nodes = ast.walk(ast.parse(path.read_text()))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        f"{name_of(path)}:{one.lineno} {one.name}": (one.end_lineno or one.lineno) - one.lineno + 1 for one in functions
    }


def all_functions() -> dict[str, int]:
    return {
        name: lines for room in ROOMS for path in files_of(room) for name, lines in lengths_of_functions(path).items()
    }


def lines_of(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_no_room_holds_more_than_a_quarter_of_the_code():
    lines = Counter({room: sum(map(lines_of, files_of(room))) for room in ROOMS})
    room, most = lines.most_common(1)[0]
    assert most <= SHARE_OF_A_ROOM * lines.total(), f"{room} has {most} of {lines.total()} lines"


def test_no_file_is_too_long_to_be_read_at_once():
    assert [name_of(path) for room in ROOMS for path in files_of(room) if lines_of(path) > FILE_LINES] == []


def test_no_function_is_longer_than_a_screen():
    assert {name: lines for name, lines in all_functions().items() if lines > FUNCTION_LINES} == {}


def test_most_functions_read_like_a_sentence():
    lengths = list(all_functions().values())
    assert len(lengths) > 1000
    assert median(lengths) <= 7
    assert quantiles(lengths, n=10)[-1] <= 20
