"""Pages of the site that are made from the code: operations, frames, columns of exports, commands.

python -m deploy.handbook.look_up [FOLDER]    (var/look-up, where the site's build takes them from)

Settings of campaigns, presets, the environment and the codebook have pages of their own in docs/, which tests compare with the code.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parents[2]
# What every command of Django takes.
USUAL = {
    "help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks",
}  # fmt: skip


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var" / "look-up"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text)
    print(folder)


def pages() -> dict[str, str]:
    """The text of each page by its file's name. Needs Django to be set up; reads no database."""
    from django.utils import translation

    with translation.override("en"):
        return {
            "index.md": INDEX,
            "api-operations.md": _page(API, api_lines()),
            "socket-frames.md": _page(FRAMES, frame_lines()),
            "export-columns.md": _page(COLUMNS, column_lines()),
            "commands.md": _page(COMMANDS, command_lines()),
        }


INDEX = """\
# Look up

| what | page | where it comes from |
|---|---|---|
| a line of a campaign file | [campaign file](../campaign-file.md), [settings](../campaign-settings.md), [rubrics and presets](../presets.md) | declarations; tests compare page and code |
| a setting of the installation | [environment](../configuration.md) | tests compare page and code |
| a command of `manage.py` | [commands](commands.md) | made from the commands |
| an address of the API | [operations](api-operations.md); [how the API works](../api.md) | made from the declarations that check requests |
| a frame of a socket | [frames](socket-frames.md); [how a dialogue goes](../wire-protocol.md) | made from the schemas that check frames |
| what a system may speak | [protocols](../protocols.md), [one each](../bot-protocols.md), [dialling out](../dial-out.md) | |
| a probe of the conformance lab | [conformance](../conformance.md) | |
| a column of an export | [columns](export-columns.md); [what exports hold](../exports.md) | made from the exports |
| a column of a frame in pandas | [codebook](../codebook.md) | made from the frames |
| a file of a results bundle | [bundle format](../bundle-format.md) | tests compare page and code |
| a word | [glossary](../glossary.md) | |
"""
API = """\
# Operations of the API

Made from the declarations that check requests and shape answers. A server has the same at `/about/api/`, with a search, and as OpenAPI 3.1 at `/api/v1/schema/`.
[The API](../api.md) says how to log in, what errors look like, and how lists are paged.
"""
FRAMES = """\
# Frames of the sockets

Made from the schemas that check frames; a server has them as JSON Schema at `/api/v1/schema/frames/`. A frame is a JSON object whose `type` is its name.
[The wire protocol](../wire-protocol.md) says in which order they come.
"""
COLUMNS = """\
# Columns of the exports

Made from the declarations of the exports, in the order of the files; columns are only ever added at the end. [Exports](../exports.md) says what a row is.
"""
COMMANDS = """\
# Commands

Made from the commands: `python manage.py COMMAND`, or `huace COMMAND` where Huace was installed from its wheel. Each explains itself with `--help`.
"""
SIDES = {
    "DialogueClient": "A dialogue: what a tester's program sends",
    "DialogueServer": "A dialogue: what the server sends",
    "WallServer": "The live wall: what the server sends",
    "BotClient": "A system that connects itself: what it sends",
    "BotServer": "A system that connects itself: what the platform sends",
}


def _page(head: str, lines: Iterator[str]) -> str:
    return head + "\n" + "\n".join(lines) + "\n"


def _cell(text: Any) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def api_lines() -> Iterator[str]:
    from frame.api_pages.reading import groups_of, shapes_of
    from frame.api_pages.views import api_schema

    schema = api_schema()
    for group in groups_of(schema):
        yield f"## {group.title}\n"
        for one in group.operations:
            yield f"### `{one.method} {one.path}`\n"
            who = ", ".join(one.roles) or {"open": "everybody", "people": "anybody with an account"}.get(
                one.access, one.access
            )
            yield f"{_cell(one.says)}. For: {who}.\n"
            asked = [*one.parameters, *(member for body in one.bodies for member in body.members)]
            if asked:
                yield "| asks | type | |"
                yield "|---|---|---|"
                yield from (
                    f"| `{member.name}` | {_cell(member.type)} | {'needed' if member.is_needed else ''} |"
                    for member in asked
                )
                yield ""
            for answer in one.answers:
                named = answer.type or ", ".join(f"`{member.name}`" for member in answer.members) or "nothing"
                yield f"Answers {answer.status}: {_cell(named)}\n"
    yield "## Shapes\n"
    for shape in shapes_of(schema):
        yield f"### {shape.name}\n"
        yield f"{_cell(shape.about)}\n"
        yield "| field | type | |"
        yield "|---|---|---|"
        yield from (
            f"| `{one.name}` | {_cell(one.type)} | {'always' if one.is_needed else ''} |" for one in shape.members
        )
        yield ""


def frame_lines() -> Iterator[str]:
    from frame.api_pages.reading import type_of
    from frame.api_pages.socket_schemas import frame_schemas

    defined: Mapping[str, Any] = frame_schemas()["$defs"]
    for side, title in SIDES.items():
        yield f"## {title}\n"
        for reference in defined[side]["anyOf"]:
            name = reference["$ref"].rpartition("/")[2]
            frame = defined[name]
            kind = frame.get("properties", {}).get("type", {}).get("const") or name.partition(".")[2]
            yield f"### `{kind}` {{: #{side.lower()}-{kind.replace('.', '-')} }}\n"
            if frame.get("description"):
                yield f"{_cell(frame['description'])}\n"
            needed = frame.get("required", ())
            yield "| field | type | |"
            yield "|---|---|---|"
            for field, schema in frame.get("properties", {}).items():
                yield f"| `{field}` | {_cell(type_of(schema))} | {'always' if field in needed else ''} |"
            yield ""


def column_lines() -> Iterator[str]:
    from campaigns.models import Campaign
    from leaderboards.exports import EXPORTS

    for name, export in EXPORTS.items():
        yield f"## `{name}`\n"
        if name == "leaderboard":
            yield "One column per figure of the campaign's rubric and rule, with its interval; [exports](../exports.md) lists the others.\n"
            continue
        yield "| column | kind |"
        yield "|---|---|"
        for column, kind in export.columns(Campaign()).items():
            yield f"| `{column}` | {_cell(type(kind).__name__.lower())} |"
        yield ""


def command_lines() -> Iterator[str]:
    from django.core.management import get_commands, load_command_class

    for name, app in sorted(get_commands().items()):
        if not (ROOT / str(app) / "management").is_dir():
            continue
        command = load_command_class(str(app), name)
        parser = command.create_parser("manage.py", name)
        yield f"## `{name}`\n"
        yield f"{_cell(command.help or '').strip()}\n"
        told = [one for one in parser._actions if one.dest not in USUAL]
        if told:
            yield "| argument | |"
            yield "|---|---|"
            for one in told:
                called = ", ".join(one.option_strings) or (one.metavar or one.dest)
                among = f" One of: {', '.join(map(str, one.choices))}." if one.choices else ""
                about = (one.help or "") % {"default": one.default, "prog": ""} if "%" in (one.help or "") else one.help
                yield f"| `{called}` | {_cell(about or '')}{_cell(among)} |"
            yield ""


if __name__ == "__main__":
    main()
