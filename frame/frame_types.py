"""The frames of the sockets as TypeScript, from the schemas that describe them: what `make lint` checks the pages' scripts against. Pure."""

from collections.abc import Iterable, Mapping

from organizing.wall.wall_frames import wall_frames
from reading.json_schemas import Schema
from testing_console.socket_frames import dialogue_frames

FILE = "static/shared/frames.d.ts"
HEAD = "// Made by `manage.py frame_types` from the schemas of the frames (docs/wire-protocol.md); a test holds both together.\n"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "object",
}


def frame_types() -> str:
    """A declaration for each frame and shape, and per socket and direction the frames by their `type`."""
    sockets = {"Dialogue": dialogue_frames(), "Wall": wall_frames()}
    parts = [HEAD]
    for socket, schemas in sockets.items():
        parts += [_interface(_name(socket, key), schema) for key, schema in schemas.items()]
        for side in ("server", "client"):
            kinds = [key.removeprefix(f"{side}.") for key in schemas if key.startswith(f"{side}.")]
            members = [f'  "{kind}": {_name(socket, f"{side}.{kind}")};' for kind in kinds]
            parts.append(f"export interface {socket}{side.title()}Frames {{\n" + "\n".join(members) + "\n}\n")
    return "\n".join(dict.fromkeys(parts))


def _name(socket: str, key: str) -> str:
    """`turn.failed` from the server of a dialogue is `DialogueServerTurnFailed`; shapes that frames share keep their name."""
    side, *words = key.split(".")
    if not words:
        return key
    return socket + side.title() + "".join(word.title() for word in "_".join(words).split("_"))


def _interface(name: str, schema: Schema) -> str:
    needed = set(schema.get("required", ()))
    members = [f"  {key}{'' if key in needed else '?'}: {_type(one)};" for key, one in schema["properties"].items()]
    return f"export interface {name} {{\n" + "\n".join(members) + "\n}\n"


def _type(schema: Mapping[str, object]) -> str:
    match schema:
        case {"const": value}:
            return f'"{value}"'
        case {"enum": list(values)}:
            return _either(f'"{value}"' for value in values)
        case {"$ref": str(target)}:
            return target.rpartition("/")[2]
        case {"anyOf": list(options)}:
            return _either(map(_type, options))
        case {"type": "array", "items": dict(items)}:
            return f"Array<{_type(items)}>"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
        case {"type": list(kinds)}:
            return _either(PLAIN[kind] for kind in kinds)
        case {"type": str(kind)}:
            return PLAIN[kind]
    return "unknown"


def _either(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))
