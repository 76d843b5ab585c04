"""A scenario as short texts: what each says, what cannot be read, and back again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from organizing.scenarios.cells import cells_of, document_of
from reading.checking import Problems


def read(**cells):
    problems = Problems()
    return document_of(cells, "row 2", problems), [problem.in_english for problem in problems.listed()]


def test_brackets_without_end_are_a_text():
    deep = "[" * 200_000
    assert document_of({"facts": f"a = {deep}"}, "", Problems())["facts"] == {"a": deep}


def test_empty_cells_say_nothing():
    assert read(title_zh="", items=" ", facts="\n", subtasks="") == ({}, [])


def test_texts_of_both_languages_items_and_subtasks_are_read():
    assert read(
        key=" a ", title_en="Flight", items="window\n\n breakfast ", subtasks="flight: 20； hotel：5\ntrain"
    ) == (
        {
            "key": "a",
            "title": {"en": "Flight"},
            "items": ["window", "breakfast"],
            "subtasks": [{"kind": "flight", "turn_cap": 20}, {"kind": "hotel", "turn_cap": 5}, {"kind": "train"}],
        },
        [],
    )


def test_facts_are_lines_or_json():
    lines = 'flight.from = 北京\nflight.price = 780\nflight.room = "12"\nnote = a = b'
    facts = {"flight": {"from": "北京", "price": 780, "room": "12"}, "note": "a = b"}
    assert read(facts=lines) == ({"facts": facts}, [])
    assert read(facts='{"rows": [{"n": 1}]}') == ({"facts": {"rows": [{"n": 1}]}}, [])


@pytest.mark.parametrize(
    ("name", "cell", "problem"),
    [
        (
            "subtasks",
            "flight: many",
            'row 2, subtasks: “flight: many” is not a kind with its turn cap, as in "flight: 20"',
        ),
        ("facts", "from 北京", 'row 2, facts: “from 北京” is not like "group.name = value"'),
        ("facts", "a = 1\na.b = 2", 'row 2, facts: “a.b = 2” is not like "group.name = value"'),
        ("context", '{"a": }', "row 2, context, line 1, column 7: is not JSON: Expecting value"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(name, cell, problem):
    assert read(**{name: cell})[1] == [problem]


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9)
VALUES = st.recursive(
    TEXTS | st.integers(-99, 99) | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3))
def test_facts_of_any_kind_are_said_so_that_reading_them_gives_the_same(facts):
    cells = cells_of({"facts": facts, "subtasks": [{"kind": "a", "turn_cap": 3}]})
    assert read(facts=cells["facts"], subtasks=cells["subtasks"]) == (
        {"facts": facts, "subtasks": [{"kind": "a", "turn_cap": 3}]}, [],
    )  # fmt: skip
