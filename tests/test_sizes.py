"""No function is too long to be read at once; the size of files and rooms is a consequence of what they say."""

import ast

from tests.test_house import ROOMS, files_of, name_of

FUNCTION_LINES = 80


def test_no_function_is_over_eighty_lines():
    lengths = {
        f"{name_of(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for room in ROOMS
        for path in files_of(room)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(lengths) > 1000
    assert {name: lines for name, lines in lengths.items() if lines > FUNCTION_LINES} == {}
