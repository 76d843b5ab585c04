import pytest

from scoring.checking import BadFile
from scoring.published_tables import PublishedRow, read_published
from scoring.task_types import TASK_TYPES

MSDE = TASK_TYPES["response-generation"]


def read(text: str, **where):
    return read_published(text.encode(), MSDE, name_column="model", where=where)


def test_columns_are_figures_by_name_label_or_alias_whatever_their_case():
    table = "model,F1,bleu-1,ROUGE,unknown\nA,0.5,0.25,0.125,9\n"
    assert read(table) == [PublishedRow("A", {"f1": 0.5, "bleu1": 0.25, "rouge_l": 0.125})]


def test_only_rows_that_equal_the_conditions_are_read_and_empty_cells_are_missing():
    table = "\ufeffmodel,skill,F1,meteor\nA,chat,0.5,\nA,persona,x,x\nB,chat,-1,0.5\n"
    assert read(table, skill="chat") == [PublishedRow("A", {"f1": 0.5}), PublishedRow("B", {"f1": -1.0, "meteor": 0.5})]


@pytest.mark.parametrize("cell", ["high", "1e5", "nan", "٣", "1,5", "0x1", "9" * 400])
def test_what_is_no_number_is_named_with_its_line(cell):
    with pytest.raises(BadFile) as bad:
        read(f'model,F1\nA,0.5\nB,"{cell}"\n')
    assert [problem.place for problem in bad.value.problems] == ["line 3, F1"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("name,F1\nA,1\n", "line 1: has no column “model”"),
        ("model,luck\nA,1\n", "line 1: has no column that is a figure of this task"),
        ("model,F1\nA,1\nA,2\n", "line 3, model: must be a name that stands only once"),
        ("model,F1\n,1\n", "line 2, model: must be a name that stands only once"),
        ("model,F1\n", "file: holds no row that fits"),
        ("", "line 1: has no column “model”"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(table, said):
    with pytest.raises(BadFile) as bad:
        read(table)
    assert said in str(bad.value)
