"""Edits of JSON as Gradio's queue sends them."""

import pytest

from participants.adapters.gradio import Copies, edited
from participants.failures import BotFailure


@pytest.mark.parametrize(
    ("value", "edits", "became"),
    [
        ("a", [["append", [], "b"], ["append", [], "c"]], "abc"),
        ("a", [["replace", [], "b"]], "b"),
        ([["q", "a"]], [["append", [0, 1], "b"]], [["q", "ab"]]),
        ([["q", "a"]], [["add", [1], ["r", "s"]]], [["q", "a"], ["r", "s"]]),
        ([{"content": "a"}], [["replace", [0, "content"], "b"], ["add", [0, "n"], 1]], [{"content": "b", "n": 1}]),
        ([1, 2], [["delete", [0], None]], [2]),
        ("a", [], "a"),
        (None, [["replace", [], "b"]], "b"),
    ],
)
def test_edits_are_made_in_their_order(value, edits, became):
    assert edited(value, edits, "x", Copies()) == became


@pytest.mark.parametrize(
    "edits",
    [
        "append",
        [["append", [5], "b"]],
        [["append", ["x"], "b"]],
        [["append", [], 3]],
        [["explode", [], "b"]],
        [["append"]],
        [7],
        [["append", 7, "b"]],
        [["append", [0] * 100, "b"]],
        [["add", [10**30], "b"]],
        [[["append"], [], "b"]],
    ],
)
def test_what_is_no_edit_of_the_value_is_a_bad_shape(edits):
    with pytest.raises(BotFailure) as failed:
        edited(["a"], edits, "x", Copies())
    assert failed.value.kind == "bad_shape"


@pytest.mark.parametrize(
    ("value", "edit"),
    [
        ("a" * 1000, ["append", [], ""]),
        ([["a" * 1000]], ["append", [0, 0], ""]),
        ([""] * 1000, ["add", [0], ""]),
        ([""] * 1000, ["delete", [0], None]),
    ],
)
def test_short_edits_of_a_long_value_come_to_an_end(value, edit):
    """Each copies a thousand characters or places."""
    edited(value, [edit] * 4, "x", Copies(5000))
    with pytest.raises(BotFailure, match="rewritten too often") as failed:
        edited(value, [edit] * 6, "x", Copies(4000))
    assert failed.value.kind == "too_long"


def test_a_list_that_is_added_to_is_not_copied():
    value = [""] * 1000
    assert edited(value, [["append", [], ["a"]], ["append", [], ["b"]]], "x", Copies(0)) is value
    assert value[-2:] == ["a", "b"]
