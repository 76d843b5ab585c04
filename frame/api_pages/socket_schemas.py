"""All frames of the sockets as one JSON Schema. Asks for no app: programs that drive a server read it without Django."""

from functools import cache
from typing import Any

from organizing.wall.wall_frames import wall_frames
from participants.dial_out.frame_schemas import bot_frames
from testing_console.socket_frames import dialogue_frames

# Frames that a wall is sent by the code that sends them to consoles.
SAID_BY_ALL: dict[str, Any] = dict.fromkeys(["server.error", "server.pong"])


@cache
def frame_schemas() -> dict[str, Any]:
    """`$defs` holds a schema per frame, and what each side of each socket may send: `DialogueClient`, `DialogueServer`,
    `WallClient`, `WallServer`, `BotClient`, `BotServer`.
    """
    dialogue, wall, bots = dialogue_frames(), wall_frames(), bot_frames()
    sides = {
        "DialogueClient": _any_of(dialogue, "client."),
        "DialogueServer": _any_of(dialogue, "server."),
        "WallClient": {"$ref": "#/$defs/client.ping"},
        "WallServer": _any_of(SAID_BY_ALL | wall, "server."),
        "BotClient": _any_of(bots, "bot."),
        "BotServer": _any_of(bots, "platform."),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of Huace's sockets",
        "description": "Dialogues: /ws/dialogues/<id>/?after=<seq>; the live wall: /ws/campaigns/<slug>/wall/ (docs/wire-protocol.md); "
        "bots that connect themselves: /ws/bots/ (docs/dial-out.md).",
        "$defs": {**sides, **dialogue, **wall, **bots},
    }


def _any_of(named: dict[str, Any], side: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in named if name.startswith(side)]}
