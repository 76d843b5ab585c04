"""Which keys a criterion cannot have. That the list names every column is asked where the columns are made."""

import pytest

from rubrics.column_names import is_an_end


@pytest.mark.parametrize(
    ("key", "is_one"),
    [("fluency_low", True), ("fluency_high", True), ("completion_low", True), ("low", False), ("too_low", False), ("fluency", False)],
)  # fmt: skip
def test_the_ends_of_an_interval_have_the_key_of_a_figure_in_front(key, is_one):
    assert is_an_end(key, ["fluency"]) is is_one
