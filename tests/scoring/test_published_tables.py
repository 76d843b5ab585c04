import pytest

from reading.checking import BadFile
from scoring.published_tables import PublishedRow, read_published
from scoring.task_types import TASK_TYPES
from tests.conftest import PUBLISHED

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
        ("model,F1\nA,1\nA,2\n", "line 3, model: must be a name that appears only once"),
        ("model,F1\n,1\n", "line 2, model: must be a name that appears only once"),
        ("model,F1\n", "file: holds no row that fits"),
        ("", "line 1: has no column “model”"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(table, said):
    with pytest.raises(BadFile) as bad:
        read(table)
    assert said in str(bad.value)


# The first rows of Tables 10–12 and of Table 8.
DQ = {
    "quality.A.nmd": 0.0896, "quality.A.rsnod": 0.132, "quality.S.nmd": 0.0838, "quality.S.rsnod": 0.131,
    "quality.E.nmd": 0.0824, "quality.E.rsnod": 0.122,
}  # fmt: skip
ND = {"nugget.jsd": 0.0217, "nugget.rnss": 0.0876}


@pytest.mark.parametrize(
    ("table", "task_type", "name_column", "where", "n_rows", "first"),
    [
        ("smp2018/task1.csv", "intent-classification", "team_en", {}, 21, {"f1": 0.833949}),
        ("ntcir14/dialogue_quality.csv", "dialogue-quality", "run", {"language": "English"}, 9, DQ),
        ("ntcir14/nugget_detection.csv", "nugget-detection", "run", {"language": "Chinese"}, 9, ND),
    ],
)
def test_each_table_of_runs_that_comes_with_huace_is_one_of_a_task_type(
    table, task_type, name_column, where, n_rows, first
):
    content = (PUBLISHED / table).read_bytes()
    rows = read_published(content, TASK_TYPES[task_type], name_column=name_column, where=where)
    assert len(rows) == n_rows
    assert rows[0].figures == first
    assert len({frozenset(row.figures) for row in rows}) == 1


def test_every_published_file_stands_in_the_readme_with_the_paper_it_is_from():
    readme = (PUBLISHED / "README.md").read_text()
    files = [str(path.relative_to(PUBLISHED)) for path in PUBLISHED.rglob("*") if path.suffix in {".csv", ".jsonl"}]
    assert len(files) == 10
    for name in files:
        assert f"| `{name}` |" in readme, name
