"""The frames of the live wall's socket as JSON Schema, from the definitions that send them. Pure."""

from typing import Any, get_args, get_type_hints

from organizing.wall.frames import WallChanged, WallNeeds, WallState
from reading.json_schemas import Schema, Shapes

SENT: tuple[Any, ...] = (WallState, WallChanged, WallNeeds)


def wall_frames() -> dict[str, Schema]:
    """What only a wall is sent, each under `server.` with its type."""
    shapes = Shapes("#/$defs/")
    return {f"server.{type_of(made)}": shapes.object_of(made) for made in SENT} | shapes.named


def type_of(made: Any) -> str:
    """The word that every frame of the shape has as its type."""
    (word,) = get_args(get_type_hints(made)["type"])
    return str(word)
