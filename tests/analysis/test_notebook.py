"""The notebook of examples/ runs from a bundle to the table."""

import ast
import json
import shutil
from pathlib import Path

import pandas as pd

from tests.analysis.conftest import PLAYED

NOTEBOOK = Path(__file__).parents[2] / "examples" / "from_bundle_to_table.ipynb"


def cells():
    content = json.loads(NOTEBOOK.read_text())
    assert content["nbformat"] == 4
    return ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]


def run(cell, names):
    """Runs a cell as Jupyter does; gives what its last line shows."""
    *before, last = ast.parse(cell).body
    if not isinstance(last, ast.Expr):
        before, last = [*before, last], None
    exec(compile(ast.Module(before, []), NOTEBOOK.name, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)


def test_its_cells_run_one_after_the_other(tmp_path, monkeypatch):
    shutil.copy(PLAYED, tmp_path / "bundle.zip")
    monkeypatch.chdir(tmp_path)
    names = {}
    shown = [run(cell, names) for cell in cells()]
    sizes, table, agreed, metrics, kinds, _ = shown
    assert sizes["bots"] == len(table) == 4
    assert all(isinstance(one, pd.DataFrame) and len(one) for one in (table, agreed, metrics, kinds))
    assert (tmp_path / "table.tex").read_text().count(r"\toprule") == 1


def test_it_is_kept_without_what_a_run_of_it_showed():
    content = json.loads(NOTEBOOK.read_text())
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in content["cells"])
