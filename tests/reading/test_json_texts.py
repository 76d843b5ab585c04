"""Lines of JSON are byte for byte those of `json.dumps`, whichever way they are written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.json_texts import json_column, json_rows, json_text

SCALARS = st.one_of(
    st.text(st.sampled_from('a你%"\\\n\t\0\u2028\ud800😀'), max_size=4),
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner))


@given(VALUES)
def test_a_value_is_written_as_json_dumps_writes_it(value):
    assert json_text(value) == json.dumps(value, ensure_ascii=False)


@given(st.lists(VALUES))
def test_so_is_each_value_of_a_column_of_any_types(values):
    assert list(json_column(values)) == [json.dumps(value, ensure_ascii=False) for value in values]


@pytest.mark.parametrize("values", [["a", None, "b"], [1, None, 2], [True, None], [1, True, 0], ["a", 1], [1.0, 1]])
def test_equal_values_of_different_types_stay_apart(values):
    assert list(json_column(values)) == [json.dumps(value) for value in values]


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1))
def test_rows_are_objects_with_the_columns_in_their_order(rows):
    names = ["b", "100 %s"]
    told = "".join(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
    assert json_rows(names, list(zip(*rows, strict=True))) == told
