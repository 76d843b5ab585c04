"""The tables of combined boards in a task file: what they come to, and every problem with its place."""

import pytest

from automatic_tasks.combined.board_file import SPLITS
from automatic_tasks.models import Split
from automatic_tasks.task_file import read_task_file
from reading.checking import BadFile

COLUMNS = 'columns = [{figure = "success"}, {figure = "bleu", task = "t", split = "hidden", weight = 0.02}]\n'
BOARD = '[[boards]]\nkey = "main"\nname = "Main"\nranking = ["success"]\n' + COLUMNS


def read(text):
    return read_task_file("tasks.toml", f'campaign = "c"\n{text}'.encode())


def problems_of(text):
    with pytest.raises(BadFile) as bad:
        read(text)
    return [str(problem) for problem in bad.value.problems]


def test_the_splits_are_those_of_tasks():
    assert list(SPLITS) == Split.values


def test_a_board_names_its_columns_by_their_figures_or_by_keys_of_their_own():
    (board,) = read(BOARD).boards
    assert [(one.key, one.task, one.split, one.weight) for one in board.columns] == [
        ("success", "", "", 1.0), ("bleu", "t", "hidden", 0.02),
    ]  # fmt: skip
    twice = COLUMNS.replace('"bleu"', '"success", key = "automatic"')
    (board,) = read(BOARD.replace(COLUMNS, twice)).boards
    assert [(one.key, one.figure) for one in board.columns] == [("success", "success"), ("automatic", "success")]


def test_a_total_is_of_all_columns_unless_it_names_some():
    total = BOARD.replace('["success"]', '["total"]')
    assert read(f'{total}total = {{by = "sum"}}').boards[0].parts_of_total == ("success", "bleu")
    assert read(f'{total}total = {{by = "mean", of = ["bleu"]}}').boards[0].parts_of_total == ("bleu",)


def test_a_file_that_says_nothing_of_boards_differs_from_one_that_has_none():
    assert read("").boards is None
    assert read("boards = []").boards == ()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('key = "main"\n', "", "[[boards]] 1 key: is missing"),
        (COLUMNS, "columns = []\n", "[[boards]] 1 columns: must hold at least one table"),
        (COLUMNS, "", "[[boards]] 1 columns: is missing"),
        (', split = "hidden"', "", "[[boards]] 1 columns[2] split: is missing: say which split of the task"),
        ('"hidden"', '"test"', "[[boards]] 1 columns[2] split: must be one of development, hidden"),
        ('task = "t", ', "", "[[boards]] 1 columns[2] split: has no meaning without a task"),
        ('"bleu"', '"success"', "[[boards]] 1 columns[2] key: “success” already names a column"),
        ('"bleu"', '"total"', "[[boards]] 1 columns[2] key: is the name of the sum or mean"),
        ("0.02", "0", "[[boards]] 1 columns[2] weight: must be a number from"),
        ("0.02", "1, wait = 2", "[[boards]] 1 columns[2] wait: is not known here"),
        ('ranking = ["success"]', 'ranking = ["luck"]', "[[boards]] 1 ranking[1]: “luck” is not a column; there are success, bleu"),
        ('ranking = ["success"]', 'ranking = ["total"]', "[[boards]] 1 ranking[1]: “total” is not a column"),
        ('ranking = ["success"]', 'ranking = ["success", "success"]', "[[boards]] 1 ranking[2]: “success” is named before"),
        ('ranking = ["success"]', "ranking = []", "[[boards]] 1 ranking: must name at least one column"),
        ('ranking = ["success"]', 'ranking = ["success"]\ntotal = {by = "luck"}', "[[boards]] 1 total by: must be one of sum, mean"),
        (
            'ranking = ["success"]', 'ranking = ["success"]\ntotal = {by = "sum", of = ["luck"]}',
            "[[boards]] 1 total of[1]: “luck” is not a column",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_place(old, new, problem):
    assert old in BOARD
    found = problems_of(BOARD.replace(old, new))
    assert any(one.startswith(problem) for one in found), found


def test_two_boards_have_two_keys():
    (found,) = problems_of(BOARD + BOARD)
    assert found.startswith("[[boards]] 2 key: “main” already appears at [[boards]] 1")
