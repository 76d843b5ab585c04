"""The frames of the live wall's socket as JSON Schema. Pure."""

from typing import Any, TypedDict

from scoring.json_schemas import Moment, Schema, Shapes


class WholeWall(TypedDict):
    """Rows by section and key; `titles` are those of scenarios, `needs` is null where they are not known yet."""

    at: Moment
    sections: dict[str, dict[str, Any]]
    titles: dict[str, str]
    needs: list[dict[str, Any]] | None


class WallChanged(TypedDict):
    """Whole rows that are new or different, and the keys of those that are gone."""

    at: Moment
    rows: dict[str, dict[str, Any]]
    gone: dict[str, list[str]]


class WallNeeds(TypedDict):
    """All that needs a person now."""

    at: Moment
    needs: list[dict[str, Any]]


FRAMES: dict[str, Any] = {"wall.state": WholeWall, "wall.changed": WallChanged, "wall.needs": WallNeeds}


def wall_frames() -> dict[str, Schema]:
    return {f"server.{kind}": _typed(kind, Shapes().object_of(made)) for kind, made in FRAMES.items()}


def _typed(kind: str, schema: Schema) -> Schema:
    named = {"type": {"const": kind}, **schema["properties"]}
    return {**schema, "properties": named, "required": ["type", *schema["required"]]}
