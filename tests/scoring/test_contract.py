import math

import numpy as np
import pytest

from scoring.one_run import BadGold, all_options, read_gold, read_options, score_run
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold, RunCheck, Scored, choice_of, names, note_missing, share
from tests.scoring.conftest import EXAMPLES


def test_the_gold_of_a_split_keeps_what_belongs_to_the_whole():
    gold = Gold({"a": 1, "b": 2}, about=("x",))
    assert gold.only(["b", "c"]) == Gold({"b": 2}, about=("x",))


def test_a_report_has_levels_and_null_for_what_is_no_number():
    scored = Scored(np.zeros((1, 1)), {"quality.A.nmd": 0.25, "quality.A.rsnod": math.nan, "quality.S.nmd": None})
    assert TASK_TYPES["dialogue-quality"].report(scored, 6) == {
        "quality": {"A": {"nmd": 0.25, "rsnod": None}, "S": {"nmd": None}},
        "n_items": 6,
    }


def test_options_say_what_they_take():
    assert choice_of("missing", "refuse", "count")("count") == "count"
    assert (share("alpha")("0.25"), names(" a, ,b ")) == (0.25, ("a", "b"))
    with pytest.raises(ValueError, match="--missing must be one of 'refuse', 'count', not 'x'"):
        choice_of("missing", "refuse", "count")("x")
    for text in ("7", "-0.1", "nan", "x"):
        with pytest.raises(ValueError, match="--alpha must be a number from 0 to 1"):
            share("alpha")(text)


@pytest.mark.parametrize(
    ("missing", "said"),
    [("refuse", "document b: is missing"), ("count", "document b: is missing, which counts as wrong")],
)
def test_missing_items_are_problems_or_warnings(missing, said):
    check = RunCheck(Gold({"a": 1, "b": 2}), {"missing": missing}, seen={"a": "[0]"})
    note_missing(check, "document")
    noted, silent = (check.problems, check.warnings) if missing == "refuse" else (check.warnings, check.problems)
    assert [str(finding) for finding in noted.listed()] == [said]
    assert silent.listed() == []


# By hand: seven columns are six distances and the dialogue; 18 are six classes by right, answered and gold.
N_COLUMNS = {
    "intent-classification": 18,
    "dialogue-quality": 7,
    "nugget-detection": 3,
    "information-extraction": 6,
    "task-oriented-dialogue": 18,
    "response-generation": 11,
}


@pytest.mark.parametrize("name", TASK_TYPES)
def test_every_sum_has_a_name_of_its_own(name):
    task_type, options = TASK_TYPES[name], TASK_TYPES[name].default_options() | {"missing": "count"}
    (gold_file,) = (EXAMPLES / name).glob("gold.json*")
    (run_file,) = (EXAMPLES / name).glob("run.json*")
    gold = read_gold(task_type, gold_file.read_bytes(), options)
    columns = task_type.columns(gold, options)
    assert len(set(columns)) == len(columns) == N_COLUMNS.get(name, len(columns))
    sums = score_run(task_type, gold, run_file.read_bytes(), options).scored.sums
    assert sums.shape == (len(gold.items), len(columns))


def test_columns_follow_the_options_that_add_measures():
    task_type = TASK_TYPES["response-generation"]
    options = task_type.default_options()
    plain = task_type.columns(None, options)
    with_vectors = task_type.columns(None, options | {"vectors": "v.txt"})
    assert with_vectors == (*plain, "embedding_average", "vector_extrema", "greedy_matching")


NUGGETS = TASK_TYPES["nugget-detection"]


def test_options_are_read_from_texts_and_the_others_have_their_defaults():
    assert read_options(NUGGETS, {"alpha": "0.25"}) == {"missing": "refuse", "alpha": 0.25}
    assert read_options(TASK_TYPES["intent-classification"], {"classes": "a, b,,c"})["classes"] == ("a", "b", "c")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"beta": "1"}, "nugget-detection has no --beta; it knows --missing, --alpha"),
        ({"alpha": "1.5"}, "--alpha must be a number from 0 to 1, not '1.5'"),
        ({"alpha": "nan"}, "--alpha must be a number from 0 to 1, not 'nan'"),
        ({"missing": "ignore"}, "--missing must be one of 'refuse', 'count', not 'ignore'"),
    ],
)
def test_an_option_that_does_not_fit_is_an_error_in_words(given, said):
    with pytest.raises(ValueError, match="^" + said.replace("(", "\\(")):
        read_options(NUGGETS, given)


def test_a_bad_gold_is_never_a_bad_run():
    with pytest.raises(BadGold) as bad:
        read_gold(NUGGETS, b"[]", NUGGETS.default_options())
    assert str(bad.value) == "file: holds no dialogue"


def test_an_option_of_several_task_types_is_listed_with_all_of_them():
    assert {name for name, _option in all_options()["missing"]} == set(TASK_TYPES)
    assert [name for name, _option in all_options()["alpha"]] == ["nugget-detection"]
