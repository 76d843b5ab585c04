"""Types of the description in one line."""

import pytest

from frame.api_pages.reading import groups_of, links_in, type_of

A, B = {"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({}, "any"),
        ({"type": "string", "maxLength": 60}, "string ≤ 60"),
        ({"type": "string", "format": "uuid"}, "string (uuid)"),
        ({"type": "integer", "minimum": 1, "maximum": 20}, "integer 1…20"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"type": "array", "items": A}, "[A]"),
        ({"anyOf": [A, {"type": "null"}]}, "A | null"),
        ({"type": "string", "enum": ["a", "b"]}, '"a" | "b"'),
        ({"type": "object"}, "{…}"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "{…: number}"),
        ({"type": "object", "properties": {"zh": {"type": "string"}}}, "{zh: string}"),
    ],
)
def test_a_type_is_one_line(schema, line):
    assert type_of(schema) == line


def test_links_are_the_shapes_that_a_type_names_each_once():
    assert sorted(links_in({"anyOf": [A, {"type": "array", "items": B}, A]})) == ["A", "B"]


def test_operations_stand_under_their_room_and_unknown_rooms_come_last():
    said = {"summary": "x", "operationId": "x", "responses": {}, "x-roles": [], "x-access": "open"}
    paths = {"/a/": {"get": {**said, "tags": ["elsewhere"]}}, "/b/": {"post": {**said, "tags": ["reviews"]}}}
    assert [(group.key, group.operations[0].path) for group in groups_of({"paths": paths})] == [
        ("reviews", "/b/"),
        ("elsewhere", "/a/"),
    ]
