"""Kinds and shapes as JSON Schema: what a kind takes fits its schema, and what it refuses by type or limits does not."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from jsonschema import Draft202012Validator

from reading import kinds
from reading.json_schemas import Id, Moment, Shapes, object_schema, schema_of
from reading.tables import Field, OrNull, Rows, Table, table_of


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (kinds.Text(3), "abc", "abcd"),
        (kinds.Text(3), "a", ""),
        (kinds.Text(3, may_be_empty=True), "", 1),
        (kinds.Whole(1, 5), 5, 6),
        (kinds.Whole(1), 99, 0),
        (kinds.WholeOr(1, 5, "none"), "none", "many"),
        (kinds.Number(0, 1), 0.5, 1.5),
        (kinds.Choice(("a", "b")), "a", "c"),
        (kinds.FLAG, True, 1),
        (kinds.LIST, [], {}),
        (kinds.OBJECT, {}, []),
        (kinds.IDENTITY, 1, []),
        (kinds.BothTexts(), {"zh": "a"}, {"fr": "a"}),
        (kinds.ListOf(kinds.FLAG), [True], [1]),
        (kinds.TableOf(kinds.TEXT, kinds.FLAG), {"a": True}, {"a": 1}),
        (Table({"a": Field(kinds.FLAG)}), {"a": True}, {}),
        (Table({"a": Field(kinds.FLAG)}), {"a": True}, {"a": True, "b": 1}),
        (Rows(Table({"a": Field(kinds.FLAG)}), may_be_empty=False), [{"a": True}], []),
        (OrNull(Table({"a": Field(kinds.FLAG)})), None, {}),
        (kinds.http_url(), "http://a", 1),
    ],
)
def test_what_a_kind_takes_fits_and_what_it_refuses_does_not(kind, right, wrong):
    schema = Draft202012Validator(schema_of(kind))
    assert schema.is_valid(right)
    assert not schema.is_valid(wrong)


def test_a_field_goes_by_its_name_in_the_body():
    assert object_schema({"number": Field(kinds.FLAG, key="turn")})["required"] == ["turn"]


class Part(TypedDict):
    """A part."""

    index: int
    cap: NotRequired[int | None]


class Whole(Part):
    id: Id
    at: Moment
    parts: list[Part]
    figures: dict[str, float | None]
    state: Literal["open", "closed"]
    rest: Any


@dataclass
class Row:
    name: str
    counted: bool = False


class Colour(Enum):
    RED = "red"


def test_a_shape_is_described_once_with_what_must_be_there():
    shapes = Shapes()
    assert shapes.of(list[Whole]) == {"type": "array", "items": {"$ref": "#/components/schemas/Whole"}}
    assert shapes.named["Part"] == {
        "type": "object",
        "properties": {"index": {"type": "integer"}, "cap": {"type": ["integer", "null"]}},
        "required": ["index"],
        "description": "A part.",
    }
    whole = shapes.named["Whole"]
    assert whole["required"] == ["index", "id", "at", "parts", "figures", "state", "rest"]
    assert whole["properties"]["id"] == {"type": "string", "format": "uuid"}
    assert whole["properties"]["figures"]["additionalProperties"] == {"type": ["number", "null"]}
    assert whole["properties"]["state"] == {"type": "string", "enum": ["open", "closed"]}


def test_a_dataclass_needs_what_has_no_default():
    assert Shapes().object_of(Row)["required"] == ["name"]


def test_an_enumeration_is_its_values():
    assert Shapes().of(Colour) == {"type": "string", "enum": ["red"]}


def test_a_kind_in_an_annotation_says_what_the_value_is():
    assert Shapes().of(Annotated[str, kinds.Text(3)])["maxLength"] == 3


def test_two_shapes_of_one_name_are_refused():
    shapes = Shapes()
    shapes.of(Part)

    class Other(TypedDict):
        a: int

    Other.__name__ = "Part"
    with pytest.raises(TypeError, match="two shapes are called Part"):
        shapes.of(Other)


def test_what_cannot_be_described_is_refused():
    with pytest.raises(TypeError, match="cannot be described"):
        Shapes().of(complex)


def test_the_table_of_a_dataclass_is_what_its_kinds_say():
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Form:
        name: Annotated[str, kinds.Text(5)]
        note: Annotated[str, kinds.ANY_TEXT] = ""

    schema = schema_of(table_of(Form))
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
