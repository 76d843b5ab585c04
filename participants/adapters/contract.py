"""What an adapter is: the few things that every protocol has its own way of doing.

Adding a protocol is one file with an `Adapter`, a line in `participants.adapters`, a row in docs/protocols.md with its section in docs/bot-protocols.md, and tests against
a bot that speaks it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from participants.adapters.calls import BotCall, Farewell, Reply
from participants.limits import MESSAGE_LIMIT
from participants.outbound import Line
from reading.findings import Finding
from reading.kinds import Kind, Notes, Text
from reading.strict_json import NotJson, loads

Hear = Callable[[str], None]
# A question that changes nothing at the bot: the method, and the path that is joined to the bot's URL ("" asks the URL itself,
# "/…" the root of its host).
Question = tuple[Literal["GET", "OPTIONS"], str]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a bot said to a question: header names in lower case, the first kilobytes of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Send(Protocol):
    """Asks for one reply. What is shown while it comes goes to `on_delta`. Errors: `BotFailure`."""

    def __call__(self, call: BotCall, line: Line, on_delta: Hear) -> Awaitable[Reply]: ...


class Close(Protocol):
    """Tells the bot that a dialogue is over. Run detached, and never retried. Errors: `BotFailure`."""

    def __call__(self, farewell: Farewell, line: Line) -> Awaitable[None]: ...


def finds_no_clue(heard: Mapping[Question, Heard]) -> Finding | None:
    return None


def finds_no_version(heard: Mapping[Question, Heard]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a protocol: what it may be, and what a team reads beside its field."""

    kind: Kind
    help: str | Promise = ""


# The options of one bot, by name.
Options = Mapping[str, Any]
OPENING = Option(Text(MESSAGE_LIMIT), _("what the system is sent to open a dialogue, where it speaks first"))


def accepts_all(options: Options, problems: Notes) -> None:
    """Each option is fine by itself, so all are."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """One protocol.

    `name` is what people call it, `line` says what a system of it does. `check` notes what is wrong with the options together.
    `frame` is what is handed to a bot that has connected to the platform; it is empty where the platform calls the bot.
    `open` asks for the words with which a bot opens a dialogue (turn 0); `send` does that too where it stays empty. `close` is empty
    where the protocol knows no end. `questions` may be put to any server, whatever it speaks; `clue_in` reads what came back,
    with what failed left out, and says in one sentence what speaks for this protocol, or nothing; `version_in` reads what a bot of
    this protocol calls its server's version, or nothing.
    """

    send: Send
    name: str | Promise = ""
    line: str | Promise = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    check: Callable[[Options, Notes], None] = accepts_all
    open: Send | None = None
    close: Close | None = None
    frame: Callable[[BotCall], str] | None = None
    questions: tuple[Question, ...] = ()
    clue_in: Callable[[Mapping[Question, Heard]], Finding | None] = finds_no_clue
    version_in: Callable[[Mapping[Question, Heard]], str] = finds_no_version

    def asks(self, call: BotCall) -> Send:
        """How this call is made: turn 0 opens, the others send."""
        return self.open if call.turn == 0 and self.open is not None else self.send


def object_in(heard: Heard | None) -> dict[str, Any]:
    """The JSON object of a good answer; an empty one for everything else, also for what was cut off."""
    if heard is None or heard.status != 200:
        return {}
    try:
        said = loads(heard.body)
    except NotJson:
        return {}
    return said if isinstance(said, dict) else {}


def may_post(heard: Heard | None) -> bool:
    """Whether the answer names POST among what may be asked there, as frameworks do for OPTIONS."""
    allowed = "" if heard is None else heard.headers.get("allow", "")
    return "POST" in {method.strip().upper() for method in allowed.split(",")}
