"""Answers are encoded by the shape that describes them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from types import SimpleNamespace
from typing import Annotated, NotRequired, TypedDict
from uuid import UUID

import pytest
from django.utils.functional import lazystr
from rest_framework.response import Response

from api.answers import SAME, From, encoded
from api.describing import describes
from api.paging import Page

AT = datetime(2026, 3, 1, 9, 0, 0, 5, UTC)


class Colour(Enum):
    RED = "red"


class Names(TypedDict):
    zh: Annotated[str, From("name_zh")]


class Leaf(TypedDict):
    id: Annotated[str, From("pk")]
    at: Annotated[str | None, From("made_at")]
    team: Annotated[str | None, From("team.name")]
    team_en: Annotated[str, From("team.name_en", none="")]
    colour: str
    names: Annotated[Names, SAME]
    letters: Annotated[dict[str, int], From(lambda leaf: {"a": leaf.n})]
    leaves: Annotated[list["Leaf"], From("below")]
    note: NotRequired[str]


class Branch:
    pk, made_at, team, colour, name_zh, n = UUID(int=7), AT, None, Colour.RED, lazystr("名"), 3

    def below(self):
        return ()


@dataclass(frozen=True)
class Row:
    name: str
    moments: tuple[datetime | None, ...] = ()
    inner: list["Row"] = field(default_factory=list)

    @property
    def left_out(self):
        raise AssertionError("only fields are said")


def test_fields_come_from_where_the_shape_says():
    branch = Branch()
    branch.note = "n"
    assert encoded(Leaf, branch) == {
        "id": str(UUID(int=7)),
        "at": "2026-03-01T09:00:00.000005+00:00",
        "team": None,
        "team_en": "",
        "colour": "red",
        "names": {"zh": "名"},
        "letters": {"a": 3},
        "leaves": [],
        "note": "n",
    }


def test_a_dataclass_that_a_query_returns_is_its_own_shape():
    row = Row("a", (AT, None), [Row("b")])
    assert encoded(list[Row], [row]) == [
        {
            "name": "a",
            "moments": ["2026-03-01T09:00:00.000005+00:00", None],
            "inner": [{"name": "b", "moments": [], "inner": []}],
        }
    ]


def test_what_is_encoded_can_be_encoded_again_and_may_lack_what_need_not_be_there():
    said = {"id": "7", "at": None, "names": {"zh": "名"}, "colour": Colour.RED}
    assert encoded(Leaf, said) == said | {"colour": "red"}
    assert encoded(Leaf, encoded(Leaf, said)) == encoded(Leaf, said)


def test_values_that_are_given_stand_in_for_those_of_the_object():
    assert encoded(Names, object(), zh=lazystr("字")) == {"zh": "字"}


def test_a_value_of_one_of_several_shapes_cannot_be_told_apart():
    with pytest.raises(TypeError, match="cannot be seen"):
        encoded(Names | Row, Row("a"))


@pytest.mark.parametrize(
    ("shape", "status", "found", "said"),
    [
        (Row | None, 200, None, None),
        (list[Row], 200, Page([Row("a")], {"Link": "x"}, 1, 1, 1), [{"name": "a", "moments": [], "inner": []}]),
        (Names, 201, SimpleNamespace(name_zh="z"), {"zh": "z"}),
        (None, 204, None, None),
        (Names, 201, Response({"as": "it is"}), {"as": "it is"}),
    ],
)
def test_a_described_method_answers_in_its_shape(shape, status, found, said):
    answer = describes("Says it", shape, status)(lambda: found)()
    assert answer.data == said
    assert answer.status_code == (200 if isinstance(found, Response) else status)
    assert answer.headers.get("Link", "") == ("x" if isinstance(found, Page) else "")
