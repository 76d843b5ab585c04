"""The description of the API as its page shows it: operations by room, types in one line. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from reading.json_schemas import Schema

METHODS = ("get", "post", "put", "patch", "delete")
ROOMS = {
    "frame": _("This description"),
    "accounts": _("Accounts"),
    "campaigns": _("Campaigns and tokens"),
    "registration": _("Invitations and applications"),
    "testing_console": _("Testing"),
    "reviews": _("Reviewing"),
    "leaderboards": _("Leaderboards and exports"),
    "publication": _("Publication"),
    "automatic_tasks": _("Automatic tasks"),
    "organizing": _("Organizing, and a team's own pages"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a shape or body, or a parameter; `links` are the shapes that its type names."""

    name: str
    type: str
    is_needed: bool
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """A body or an answer of one status; `type` is empty where it is an object whose members are listed."""

    status: str
    media_type: str
    type: str
    members: tuple[Member, ...]
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    id: str
    method: str
    path: str
    says: str
    roles: tuple[str, ...]
    access: str
    parameters: tuple[Member, ...]
    bodies: tuple[Content, ...]
    answers: tuple[Content, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    title: Any
    operations: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class ShownShape:
    name: str
    about: str
    members: tuple[Member, ...]


def groups_of(schema: Schema) -> list[Group]:
    """By room, in the order of `ROOMS`; a room that it does not know comes last under its own name."""
    by_room: dict[str, list[Shown]] = {room: [] for room in ROOMS}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                by_room.setdefault(methods[method]["tags"][0], []).append(_shown(path, method, methods[method]))
    return [Group(room, ROOMS.get(room, room), tuple(found)) for room, found in by_room.items() if found]


def shapes_of(schema: Schema) -> list[ShownShape]:
    return [
        ShownShape(name, shape.get("description", ""), _members(shape))
        for name, shape in sorted(schema["components"]["schemas"].items())
    ]


def _shown(path: str, method: str, operation: Mapping[str, Any]) -> Shown:
    answers = operation["responses"]
    good = [_contents(status, answer) for status, answer in answers.items() if status < "300"]
    return Shown(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        says=operation.get("summary", ""),
        roles=tuple(operation["x-roles"]),
        access=operation["x-access"],
        parameters=tuple(
            Member(one["name"], type_of(one["schema"]), one.get("required", False))
            for one in operation.get("parameters", ())
        ),
        bodies=tuple(_contents("", operation.get("requestBody", {"content": {}}))),
        answers=tuple(content for contents in good for content in contents),
        problems=tuple(status for status in answers if status >= "300"),
    )


def _contents(status: str, said: Mapping[str, Any]) -> list[Content]:
    if not said.get("content"):
        return [Content(status, "", "", (), ())] if status else []
    return [_content(status, media_type, one["schema"]) for media_type, one in said["content"].items()]


def _content(status: str, media_type: str, schema: Schema) -> Content:
    members = _members(schema)
    return Content(status, media_type, "" if members else type_of(schema), members, tuple(links_in(schema)))


def _members(schema: Schema) -> tuple[Member, ...]:
    needed = schema.get("required", ())
    return tuple(
        Member(name, type_of(one), name in needed, tuple(links_in(one)))
        for name, one in schema.get("properties", {}).items()
    )


def type_of(schema: Schema) -> str:
    """A type in one line, such as `integer 1…20`, `[RunAnswer]`, `string (uuid) | null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema or "enum" in schema:
        return " | ".join(f'"{one}"' for one in schema.get("enum", [schema.get("const")]))
    if "anyOf" in schema:
        return " | ".join(type_of(one) for one in schema["anyOf"])
    match schema.get("type"):
        case "array":
            return f"[{type_of(schema.get('items', {}))}]"
        case "object":
            if schema.get("properties"):
                return "{" + ", ".join(f"{name}: {type_of(one)}" for name, one in schema["properties"].items()) + "}"
            of_values = schema.get("additionalProperties")
            return f"{{…: {type_of(of_values)}}}" if isinstance(of_values, dict) and of_values else "{…}"
        case None:
            return "any"
        case list() as types:
            return " | ".join(types)
        case plain:
            return f"{plain}{_limits(schema)}"


def _limits(schema: Schema) -> str:
    said = f" ({schema['format']})" if "format" in schema else ""
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None or most is not None:
        said += f" {'' if least is None else least}…{'' if most is None else most}"
    return said + (f" ≤ {schema['maxLength']}" if "maxLength" in schema else "")


def links_in(schema: Any) -> Iterable[str]:
    """The names of the shapes that a schema refers to, each once."""
    found: dict[str, None] = {}
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            if "$ref" in one:
                found[str(one["$ref"]).rpartition("/")[2]] = None
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return found
