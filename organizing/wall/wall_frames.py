"""Frames of a wall's socket (docs/wire-protocol.md) and their JSON Schema; `pong` and `error` are those of dialogues. Pure.

`wall.state` comes first and after every reconnect, `wall.changed` has whole rows that are new or different.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict, cast, get_args, get_type_hints

from dialogues.events import encode
from organizing.wall.rows import AllSections, NeedShown, SomeSections
from organizing.wall.state import Change, Sections
from reading.json_schemas import Moment, Schema, Shapes

Needs = Sequence[NeedShown]


class WholeWall(TypedDict):
    """The whole wall: `titles` are those of scenarios by their keys, `needs` is null where they are not known yet."""

    at: Moment
    sections: AllSections
    titles: dict[str, str]
    needs: list[NeedShown] | None


class WallState(WholeWall):
    """The first frame, and the first after every reconnect."""

    type: Literal["wall.state"]


class WallChanged(TypedDict):
    """Whole rows that are new or different, and by section the keys of those that are gone."""

    type: Literal["wall.changed"]
    at: Moment
    rows: SomeSections
    gone: dict[str, list[str]]


class WallNeeds(TypedDict):
    """All that needs a person now."""

    type: Literal["wall.needs"]
    at: Moment
    needs: list[NeedShown]


def state(sections: Sections, *, at: datetime, titles: Mapping[str, str], needs: Needs | None) -> WholeWall:
    """The whole wall."""
    return {
        "at": at.isoformat(),
        "sections": cast(AllSections, sections),
        "titles": dict(titles),
        "needs": None if needs is None else list(needs),
    }


def state_frame(state: WholeWall) -> str:
    frame: WallState = {"type": "wall.state", **state}
    return encode(frame)


def changed_frame(change: Change, at: datetime) -> str:
    rows = cast(SomeSections, change.rows)
    frame: WallChanged = {"type": "wall.changed", "at": at.isoformat(), "rows": rows, "gone": change.gone}
    return encode(frame)


def needs_frame(needs: Needs, at: datetime) -> str:
    frame: WallNeeds = {"type": "wall.needs", "at": at.isoformat(), "needs": list(needs)}
    return encode(frame)


SENT: tuple[Any, ...] = (WallState, WallChanged, WallNeeds)


def wall_frames() -> dict[str, Schema]:
    """What only a wall is sent, each under `server.` with its type."""
    shapes = Shapes("#/$defs/")
    return {f"server.{type_of(made)}": shapes.object_of(made) for made in SENT} | shapes.named


def type_of(made: Any) -> str:
    """The word that every frame of the shape has as its type."""
    (word,) = get_args(get_type_hints(made)["type"])
    return str(word)
