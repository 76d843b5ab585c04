"""What is written as TOML is read again as it was, and looks like a file that somebody wrote."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.toml_text import NotToml, toml_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
TABLES = st.dictionaries(TEXTS, VALUES, max_size=5)


@given(st.dictionaries(TEXTS, TABLES | st.lists(TABLES, min_size=1, max_size=3), max_size=4))
def test_reading_gives_what_was_written(document):
    assert tomllib.loads(toml_of(document)) == document


def test_a_file_looks_as_if_somebody_wrote_it():
    flights = [{"number": f"HC10{n}", "from": "北京", "to": "上海", "depart": "09:10"} for n in range(3)]
    document = {
        "campaign": {"slug": "probe", "name": {"zh": "试用", "en": "Probe"}, "masked_words": ["A", "B"]},
        "scenarios": [{"key": "one", "facts": {"flight": {"to": "上海"}, "flights": flights}, "a b": True}],
    }
    assert (
        toml_of(document)
        == """\
[campaign]
slug = "probe"
name = {zh = "试用", en = "Probe"}
masked_words = ["A", "B"]

[[scenarios]]
key = "one"
"a b" = true

[scenarios.facts]
flight = {to = "上海"}
flights = [
    {number = "HC100", from = "北京", to = "上海", depart = "09:10"},
    {number = "HC101", from = "北京", to = "上海", depart = "09:10"},
    {number = "HC102", from = "北京", to = "上海", depart = "09:10"},
]
"""
    )


def test_long_tables_of_a_list_get_heads_of_their_own():
    long = {"key": "one", "question": "?" * 90, "points": [{"score": 1, "label": {"zh": "一"}}]}
    assert (
        toml_of({"rubric": {"criteria": [long, {"key": "two"}], "key": "own"}})
        == f"""\
[rubric]
key = "own"

[[rubric.criteria]]
key = "one"
question = "{"?" * 90}"
points = [{{score = 1, label = {{zh = "一"}}}}]

[[rubric.criteria]]
key = "two"
"""
    )


def test_null_is_refused_with_its_place():
    with pytest.raises(NotToml) as refused:
        toml_of({"scenarios": [{"facts": {"x": 1}}, {"facts": {"when": [1, {"on": None}]}}]})
    assert refused.value.place == "scenarios 2.facts.when.on"
