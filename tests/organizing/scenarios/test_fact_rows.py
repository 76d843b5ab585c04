"""Facts as rows of a form: what each says, what cannot be read, and back again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from organizing.scenarios.fact_rows import MOST_ROWS, FactRow, TableRow, facts_of_rows, rows_of_facts
from reading.checking import Problems
from tests.organizing.scenarios.test_cells import VALUES


def read(facts=(), tables=()):
    problems = Problems()
    return facts_of_rows(facts, tables, problems), [problem.in_english for problem in problems.listed()]


def test_facts_keep_their_kind_and_their_order():
    facts = {"hotel": {"city": "成都", "nights": 2, "room": "12", "quiet": True}, "note": "two\nlines"}
    rows, tables = rows_of_facts(facts)
    assert rows == (
        FactRow("hotel", "city", "text", "成都"),
        FactRow("hotel", "nights", "number", "2"),
        FactRow("hotel", "room", "text", "12"),
        FactRow("hotel", "quiet", "json", "true"),
        FactRow("", "note", "json", '"two\\nlines"'),
    )
    assert read(rows, tables) == (facts, [])
    moved, _problems = read([rows[1], rows[0]])
    assert [*moved["hotel"]] == ["nights", "city"]


def test_a_table_is_lines_and_what_comes_from_excel_is_read():
    flights = [{"number": "CA1831", "price": 780}, {"number": "12", "to": "上海"}]
    rows, tables = rows_of_facts({"flights": flights})
    assert (rows, tables) == ((), (TableRow("flights", 'number | price | to\nCA1831 | 780 | \n"12" |  | 上海'),))
    assert read(rows, tables) == ({"flights": flights}, [])
    pasted = TableRow("flights", "number\tprice\r\nCA1831\t780\r\n")
    assert read((), [pasted]) == ({"flights": [{"number": "CA1831", "price": 780}]}, [])


def test_what_no_line_can_say_is_a_row_of_json():
    nested = {"flights": [{"a": [1]}], "price": [{"a | b": 1.5}]}
    rows, tables = rows_of_facts(nested)
    assert [row.kind for row in rows] == ["json", "json"]
    assert read(rows, tables) == (nested, [])


def test_more_facts_than_a_form_can_send_are_one_row_a_group():
    many = {"flight": {f"n{number}": "x" for number in range(MOST_ROWS + 1)}}
    (row,), _tables = rows_of_facts(many)
    assert (row.name, row.kind) == ("flight", "json")
    assert read([row]) == (many, [])


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([FactRow("flight", "", "text", "北京")], "facts[0]: needs a name"),
        ([FactRow("", "a", "number", "many")], "facts[0]: “many” is not a number"),
        ([FactRow("", "a", "number", "true")], "facts[0]: “true” is not a number"),
        ([FactRow("", "a", "json", "{")], "facts[0]: “{” is not JSON"),
        ([FactRow(), FactRow("", "a"), FactRow("", "a")], "facts[2]: “a” appears twice"),
        ([FactRow("", "a", "text", "x"), FactRow("a", "b")], "facts[1]: “a” is a fact of its own, not a part"),
    ],
)
def test_what_is_wrong_with_a_fact_is_said_of_its_row(rows, problem):
    assert read(rows)[1] == [problem]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("a | a\n1 | 2", "tables[0]: needs a line that names its columns, each once, and a line for each row"),
        ("a | b", "tables[0]: needs a line that names its columns, each once, and a line for each row"),
        ("a\n1 | 2", "tables[0]: “1 | 2” has more cells than there are columns"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_of_it(lines, problem):
    assert read((), [TableRow("t", lines)])[1] == [problem]


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=9)


@given(st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=3), min_size=1, max_size=3))
def test_facts_of_any_kind_come_back_from_their_rows(facts):
    found, problems = read(*rows_of_facts(facts))
    assert (json.dumps(found, sort_keys=True), problems) == (json.dumps(facts, sort_keys=True), [])
