"""The frames of the socket of a bot that connects to the platform, as JSON Schema. Pure."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from participants.dial_out.frames import ID_LIMIT
from scoring.json_schemas import Schema, Shapes
from scoring.kinds import Text

TurnId = Annotated[str, Text(ID_LIMIT)]


class Ready(TypedDict):
    """The first frame: the platform knows the bot by its key."""

    protocol: str
    bot: str


class SaidBefore(TypedDict):
    role: Literal["user", "bot"]
    text: str


class Turn(TypedDict):
    """A turn to be answered; `again` where the bot may have been handed it before, under the same `id`."""

    id: TurnId
    again: bool
    protocol: str
    dialogue: str
    turn: int
    text: str
    language: str
    deadline_ms: int
    context: dict[str, Any]
    history: list[SaidBefore]


class Close(TypedDict):
    """The dialogue is over; the bot answers nothing."""

    protocol: str
    dialogue: str
    close: Literal[True]
    language: str


class Refused(TypedDict):
    """Why a frame was refused; `id` is that of its turn, if it was about one."""

    code: str
    message: str
    id: NotRequired[TurnId]


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


OF_THE_PLATFORM: dict[str, Any] = {"ready": Ready, "turn": Turn, "close": Close, "error": Refused, "pong": Beat}
OF_THE_BOT: dict[str, Any] = {"reply": Reply, "delta": Delta, "error": CannotAnswer, "ping": Beat, "pong": Beat}


def bot_frames() -> dict[str, Schema]:
    """What the platform sends, each under `platform.` with its type, and what the bot may send, under `bot.`."""
    shapes = Shapes("#/$defs/")
    platform = {f"platform.{kind}": _typed(kind, shapes.object_of(made)) for kind, made in OF_THE_PLATFORM.items()}
    bot = {f"bot.{kind}": _typed(kind, shapes.object_of(made)) for kind, made in OF_THE_BOT.items()}
    return platform | bot | shapes.named


def _typed(kind: str, schema: Schema) -> Schema:
    named = {"type": {"const": kind}, **schema["properties"]}
    return {**schema, "properties": named, "required": ["type", *schema["required"]]}
