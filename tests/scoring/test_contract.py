import math

import numpy as np
import pytest

from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold, RunCheck, Scored, choice_of, names, note_missing, share


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
