"""What an adapter is given and what it gives back, and the strict reading of JSON that all of them share."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from django.utils.translation import gettext_noop

from participants import failure_sentences as sentences
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind, Try
from participants.limits import PARALLEL
from participants.outbound import Answer
from reading.findings import BODY, Finding, sentence
from reading.kinds import LIST, OBJECT, Kind, Text, Wrong
from reading.strict_json import NotJson
from serving.large_texts import loads_apart

# The body has a limit already.
TEXT_OF_A_BODY = Text(sys.maxsize, may_be_empty=True)


@dataclass(frozen=True, slots=True)
class BotAddress:
    """Where a bot listens and how it is spoken to.

    It is asked `parallel` turns at a time. `key` tells bots apart that share a URL; without one the URL does.
    """

    protocol: str
    url: str
    secret: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    parallel: int = PARALLEL
    key: str = ""


@dataclass(frozen=True, slots=True)
class Utterance:
    role: Literal["user", "bot"]
    text: str


# What a bot wants to have back with the next turn, in JSON's values; nobody else reads it.
State = Any

# How a protocol writes one utterance of the history, as JSON.
Form = Callable[[Utterance], bytes]


class History:
    """What was said before, oldest first, and what each protocol made of it: no turn encodes it again.

    A history never changes; `and_then` gives a longer one. What both have in common is copied as bytes. `state` is what the
    bot gave with its latest reply: nothing where that one had none.
    """

    __slots__ = ("_encoded", "_n_said", "n_characters", "said", "state")

    def __init__(self, said: Iterable[Utterance] = (), state: State = None) -> None:
        self.said = tuple(said)
        self.state = state
        self._n_said = _n_characters(self.said)
        self.n_characters = self._n_said + _n_of_state(state)
        self._encoded: dict[Form, bytes] = {}

    def and_then(self, *said: Utterance, state: State = None) -> "History":
        longer = History(state=state)
        longer.said = (*self.said, *said)
        longer._n_said = self._n_said + _n_characters(said)
        longer.n_characters += longer._n_said
        for form, before in self._encoded.items():
            parts = [before] if before else []
            longer._encoded[form] = b",".join([*parts, *map(form, said)])
        return longer

    def encoded(self, form: Form) -> bytes:
        """The utterances in that form, joined by commas: the inside of a JSON array."""
        if form not in self._encoded:
            self._encoded[form] = b",".join(map(form, self.said))
        return self._encoded[form]

    @property
    def is_opened_by_bot(self) -> bool:
        return bool(self.said) and self.said[0].role == "bot"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and (self.said, self.state) == (other.said, other.state)

    def __hash__(self) -> int:
        return hash(self.said)

    def __repr__(self) -> str:
        return f"History({list(self.said)!r})"


def _n_characters(said: Iterable[Utterance]) -> int:
    return sum(len(one.text) for one in said)


def _n_of_state(state: State) -> int:
    """What a state takes of the memory for histories."""
    return 0 if state is None else len(_encode(state))


NOTHING_SAID = History()


class Context:
    """What the scenario tells the bot: a local KB, a persona, knowledge. A dialogue's turns share one, which is encoded once.

    `message` says it in words, for protocols that carry nothing else: `{context}` in it is the context as compact JSON.
    """

    __slots__ = ("_encoded", "given", "message")

    def __init__(self, given: Mapping[str, Any] | None = None, message: str = "{context}") -> None:
        self.given = given or {}
        self.message = message
        self._encoded: dict[Callable[[Context], bytes], bytes] = {}

    def encoded(self, form: "Callable[[Context], bytes]") -> bytes:
        if form not in self._encoded:
            self._encoded[form] = form(self)
        return self._encoded[form]

    @property
    def in_words(self) -> str:
        """The message; empty where the scenario gives no context or the campaign wants none sent."""
        return self.message.replace("{context}", to_json(self.given).decode()) if self.given else ""

    def __repr__(self) -> str:
        return f"Context({self.given!r}, {self.message!r})"


NO_CONTEXT = Context()


def given_context(context: Context) -> bytes:
    """The context as JSON."""
    return to_json(context.given)


@dataclass(frozen=True, slots=True)
class BotCall:
    """One tester utterance that wants an answer.

    `turn_key` is the same for every attempt at one turn (Idempotency-Key); `history` holds what was said before,
    oldest first. Turn 0 has an empty text: the bot opens the dialogue.
    """

    bot: BotAddress
    dialogue: str
    turn: int
    text: str
    turn_key: str
    history: History = NOTHING_SAID
    context: Context = NO_CONTEXT
    language: str = "zh"
    deadline_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the bot said in one turn: one text per bubble, code point for code point.

    `choices` are the lines of its texts that the bot offers as answers, each as (bubble, line). `images` are addresses of pictures, which `ask` fetches and
    says as lines. An empty reply is one empty text (`EMPTY_REPLY`). `state` comes back with the next call, in its history. `ask` fills in `tries`, the last of which was answered by this
    reply, and `latency_ms`, the bot's time over all of them.
    """

    texts: tuple[str, ...]
    end: bool = False
    state: State = None
    tries: tuple[Try, ...] = ()
    latency_ms: int = 0
    choices: tuple[tuple[int, int], ...] = ()
    images: tuple[str, ...] = ()


def choices_in(texts: Sequence[str], titles: Sequence[Sequence[str]]) -> tuple[tuple[int, int], ...]:
    """Where the titles of each bubble stand as lines of it; one of several lines is no answer that a button could give."""
    places = []
    for bubble, (text, offered) in enumerate(zip(texts, titles, strict=True)):
        lines = text.split("\n")
        last = {line: place for place, line in enumerate(lines)}
        places += [(bubble, last[title]) for title in dict.fromkeys(offered) if title.strip() and title in last]
    return tuple(places)


# A proper answer of any protocol that says nothing: the tester sees that it is empty, and the turn is answered.
EMPTY_REPLY = ("",)


@dataclass(frozen=True, slots=True)
class Farewell:
    """A dialogue that is over, and what the bot gave with its last reply."""

    bot: BotAddress
    dialogue: str
    state: State = None
    language: str = "zh"


def to_json(payload: object) -> bytes:
    return _encode(payload).encode()


# One encoder: `json.dumps` with options makes one for each text.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"} if secret else {}


def is_json(answer: Answer) -> bool:
    """Whether an answer that may be a stream calls itself one JSON text."""
    return _type_of(answer) == "application/json"


def is_stream(answer: Answer) -> bool:
    """Whether an answer that may be one JSON text calls itself server-sent events."""
    return _type_of(answer) == "text/event-stream"


def _type_of(answer: Answer) -> str:
    return answer.response.headers.get("content-type", "").partition(";")[0].strip().lower()


async def json_body(answer: Answer) -> Any:
    """The answer's body as JSON, read strictly: UTF-8, no duplicate keys, no NaN, bounded depth."""
    body = await answer.body()
    if not body.strip():
        raise BotFailure(FailureKind.EMPTY, sentence(sentences.EMPTY_BODY))
    return await json_of(body)


async def json_of(content: bytes) -> Any:
    try:
        return await loads_apart(content)
    except NotJson as bad:
        finding = replace(bad.finding, place=bad.finding.place or BODY)
        raise BotFailure(FailureKind.BAD_JSON, finding) from bad


def of_kind(kind: Kind, value: Any, place: str) -> Any:
    """The value. Errors: `BotFailure` (`bad_shape`) with the place."""
    try:
        return kind.value_of(value)
    except Wrong as wrong:
        raise BotFailure(FailureKind.BAD_SHAPE, wrong.at(place)) from wrong


def text_of(value: Any, place: str) -> str:
    """A text that can be stored and sent again."""
    text: str = of_kind(TEXT_OF_A_BODY, value, place)
    return text


def string_of(value: Any, place: str) -> str:
    """A text that may end within a character: the rest comes with the next part."""
    return value if isinstance(value, str) else text_of(value, place)


def object_of(value: Any, place: str) -> dict[str, Any]:
    table: dict[str, Any] = of_kind(OBJECT, value, place)
    return table


def list_of(value: Any, place: str) -> list[Any]:
    listed: list[Any] = of_kind(LIST, value, place)
    return listed


STATE_LIMIT_BYTES = 64 * 1024
PLACE = "state"
HALF = gettext_noop("holds half a character (a surrogate), which is not text")
TOO_LARGE = gettext_noop("holds %(bytes)s bytes as JSON, and at most %(limit)s are carried from turn to turn")


def written(state: State) -> str:
    """The state as compact JSON, which every database stores as it is: control characters are escaped.

    Errors: `BotFailure` (`bad_shape`) for one that is too large, or holds half a character.
    """
    try:
        content = to_json(state)
    except UnicodeEncodeError as half:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(PLACE, HALF)) from half
    if len(content) > STATE_LIMIT_BYTES:
        values = {"bytes": len(content), "limit": STATE_LIMIT_BYTES}
        evidence = content[:EVIDENCE_LIMIT].decode("utf-8", "ignore")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(PLACE, TOO_LARGE, values), evidence=evidence)
    return content.decode()


def read_again(text: str) -> State:
    """The state that was written so. It was read strictly when it came, so here it need not be."""
    return json.loads(text)
