"""Figures that papers printed, beside the runs of a board."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from automatic_tasks.boards.task_boards import board
from automatic_tasks.models import Split
from tests.conftest import PUBLISHED


@pytest.mark.django_db
def test_the_tables_of_msde_stand_on_a_board(tasks):
    table = PUBLISHED / "msde" / "automatic.csv"
    options = {"campaign": "small", "task": "responses", "name": "model", "source": "MSDE, Table 4"}
    for n_new in (14, 0):
        said = StringIO()
        call_command("import_figures", table, where=["competition=Lic", "task=knowledge"], stderr=said, **options)
        assert said.getvalue() == f"14 systems, {n_new} of them new.\n"
    made = board(tasks["responses"], Split.HIDDEN)
    first = made.rows[0]
    assert (first.rank, first.source, first.figures["f1"]) == (1, "MSDE, Table 4", 0.49)
    assert {key.name for key in made.keys} == {figure.name for figure in tasks["responses"].task_type.figures}
    best_bleu = board(tasks["responses"], Split.HIDDEN, by="bleu1").rows[0]
    assert best_bleu.figures["bleu1"] == max(row.figures["bleu1"] for row in made.rows)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("model,F1\n1,good\n", "line 2, F1: must be a number"),
        ("model,F1\n1,0.5\n1,0.6\n", "line 3, model: must be a name that appears only once"),
        ("model,luck\n1,0.5\n", "no column that is a figure"),
        ("system,F1\n1,0.5\n", "has no column “model”"),
        ("model,F1\n", "holds no row that fits"),
    ],
)
def test_a_bad_table_is_named_line_by_line(tasks, tmp_path, table, message):
    file = tmp_path / "table.csv"
    file.write_text(table)
    with pytest.raises(CommandError, match=message):
        call_command("import_figures", file, campaign="small", task="responses", name="model")
