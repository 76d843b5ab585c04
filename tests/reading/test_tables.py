"""Tables of declared fields: each problem has its place, and reading goes on."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest

from reading.checking import Problems
from reading.findings import FILE
from reading.kinds import (
    FLAG,
    SLUG,
    TEXT,
    FreeTable,
    Whole,
)
from reading.tables import Field, OrNull, Rows, Table, table_of


@pytest.fixture
def problems():
    return Problems()


def said(problems):
    return [str(problem) for problem in problems.listed()]


def read(kind, value, problems, place="p", name="x"):
    return kind.read(value, place, name, problems)


@dataclass(frozen=True)
class Wheel:
    name: Annotated[str, SLUG]
    spokes: Annotated[int, Whole(1, 99)] = 32
    is_front: Annotated[bool, FLAG, "front"] = False


@dataclass(frozen=True)
class Bicycle:
    owner: Annotated[str, TEXT]
    wheels: Annotated[tuple[Wheel, ...], Rows(table_of(Wheel), "name", may_be_empty=False)]
    more: Annotated[dict[str, Any], FreeTable()] = field(default_factory=dict)
    not_of_the_file: int = 7


BICYCLE = table_of(Bicycle)


def test_a_dataclass_declares_a_table(problems):
    value = {"owner": "me", "wheels": [{"name": "a", "front": True}, {"name": "b", "spokes": 9}]}
    assert BICYCLE.read(value, "[bike]", "", problems) == Bicycle("me", (Wheel("a", 32, True), Wheel("b", 9)))
    assert not problems


def test_every_problem_of_a_table_is_named_at_once_and_a_stand_in_fills_the_place(problems):
    value = {"wheels": [{"name": "a", "spokes": 0, "front": 1}, 5, {"name": "a", "rim": "x"}, {}], "is_front": True}
    bicycle = BICYCLE.read(value, "[bike]", "", problems)
    assert said(problems) == [
        "[bike] is_front: is not known here; there are more, owner, wheels",
        "[bike] owner: is missing",
        "[bike] wheels[1] spokes: must be a whole number from 1 to 99, not 0",
        "[bike] wheels[1] front: must be true or false, not 1",
        "[bike] wheels[2]: must be an object, not a number",
        "[bike] wheels[3] rim: is not known here; there are front, name, spokes",
        "[bike] wheels[3] name: “a” already appears at [bike] wheels[1]",
        "[bike] wheels[4] name: is missing",
    ]
    assert bicycle == Bicycle(None, (Wheel("a"), Wheel(None), Wheel("a"), Wheel(None)))


@pytest.mark.parametrize(
    ("value", "problem"), [([], "must hold at least one table"), ({}, "must be a list, not an object")]
)
def test_rows_are_a_list_that_may_have_to_hold_one(problems, value, problem):
    assert not read(Rows(table_of(Wheel), may_be_empty=False), value, problems)
    assert said(problems) == [f"p.x: {problem}"]
    assert read(Rows(table_of(Wheel)), [], problems) == ()


def test_places_of_a_whole_file_begin_with_the_heads_of_its_tables(problems):
    root = Table({"bike": Field(BICYCLE), "wheels": Field(Rows(table_of(Wheel), "name"), ())})
    root.read({"bike": {"owner": 1}, "wheels": [{"name": "-"}], "x": 1}, FILE, "", problems)
    assert [problem.place for problem in problems.listed()] == [
        "file x", "[bike] owner", "[bike] wheels", "[[wheels]] 1 name",
    ]  # fmt: skip
    assert root.nothing == {"bike": Bicycle(None, ()), "wheels": ()}


def test_a_table_may_keep_what_it_does_not_know(problems):
    table = Table({"a": Field(FLAG, None)}, keeps_others=True)
    assert table.read({"b": 1}, "p", "", problems) == {"a": None}
    assert not problems


def test_null_is_nothing_where_a_value_may_be_missing(problems):
    table = Table({"a": Field(OrNull(Table({"b": Field(FLAG)})), None)})
    assert [table.read(one, "p", "", problems) for one in ({}, {"a": None})] == [{"a": None}] * 2
    assert table.read({"a": {"b": True}}, "p", "", problems) == {"a": {"b": True}}
    assert not problems
    table.read({"a": 1}, "p", "", problems)
    assert said(problems) == ["p.a: must be an object, not a number"]
