"""The frames of the socket of a bot that connects to the platform, as JSON Schema. What is sent is described by what sends it."""

from typing import Any, NotRequired, TypedDict

from participants.adapters.native import Close, Request
from participants.dial_out.frames import Pong, Ready, Refused, TurnHead, TurnId
from reading.json_schemas import Schema, Shapes


class Turn(TurnHead, Request):
    """A turn to be answered."""


class Reply(TypedDict):
    """The whole reply, as `text` or as `texts`."""

    id: TurnId
    text: NotRequired[str]
    texts: NotRequired[list[str]]
    end: NotRequired[bool]


class Delta(TypedDict):
    """A part of the reply that is shown while it comes."""

    id: TurnId
    text: str


class CannotAnswer(TypedDict):
    id: TurnId
    message: NotRequired[str]


class Beat(TypedDict):
    pass


OF_THE_PLATFORM: dict[str, Any] = {"ready": Ready, "turn": Turn, "close": Close, "error": Refused, "pong": Pong}
OF_THE_BOT: dict[str, Any] = {"reply": Reply, "delta": Delta, "error": CannotAnswer, "ping": Beat, "pong": Beat}


def bot_frames() -> dict[str, Schema]:
    """What the platform sends, each under `platform.` with its type, and what the bot may send, under `bot.`."""
    shapes = Shapes("#/$defs/")
    platform = {f"platform.{kind}": _typed(kind, shapes.object_of(made)) for kind, made in OF_THE_PLATFORM.items()}
    bot = {f"bot.{kind}": _typed(kind, shapes.object_of(made)) for kind, made in OF_THE_BOT.items()}
    return platform | bot | shapes.named


def _typed(kind: str, schema: Schema) -> Schema:
    named = {**schema["properties"], "type": {"const": kind}}
    return {**schema, "properties": named, "required": ["type", *(one for one in schema["required"] if one != "type")]}
