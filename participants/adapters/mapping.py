"""A home-made protocol that its bot's team describes: a JSON template for the request, paths to what is read from the answer.

`options` hold the mapping (`participants.mappings`): `request`, `headers`, `query`; `reply` or `replies`, `end`, `state`, `error`;
for streams and WebSockets `stream_kind`, `delta`, `done`, `cumulative`; `opening`, what the user says to have the bot open a dialogue. The secret is
sent as a bearer token, unless the mapping says where it goes. Adapters of protocols that a mapping can say are made
by `spoken_by`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants import failure_sentences as sentences
from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Reply,
    bearer,
    is_json,
    json_body,
    json_of,
    list_of,
    of_kind,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.chat import BROKE_OFF, ROLES, refusal_of
from participants.adapters.contract import OPENING, Adapter, Hear, Option
from participants.adapters.streams import (
    GRACE_AFTER_END_S,
    ChangingText,
    Events,
    heard_to_end,
    json_lines,
    messages_of,
    sent_events,
)
from participants.failures import BotFailure, FailureKind
from participants.limits import is_header_text
from participants.mappings.mapping import MAPPING_OPTIONS, NO_STREAM, SSE, WEBSOCKET, Mapping, check_mapping, mapping_of
from participants.mappings.steps import STEPS_OF_A_REQUEST, STEPS_OF_AN_ANSWER, Steps
from participants.mappings.templates import filled_lines
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence
from reading.kinds import FLAG, Wrong
from serving.large_texts import apart

# Hears of what each path found, for a participant who tries a mapping.
Note = Callable[[str, Any], None]
T = TypeVar("T")
REQUEST_LIMIT_BYTES = 1024 * 1024
# A few milliseconds of the event loop.
STEPS_WITHOUT_PAUSE = 2000
# What a path gives where there is nothing to say: `a && b` gives false where there is no `a`.
NOTHING: tuple[Any, ...] = (None, False, "", [], {})
FOUND_NOTHING = gettext_noop("found nothing in the answer")
FILLED_TOO_LONG = gettext_noop("is longer than %(n)s KiB when it is filled in")
NOT_ASCII = gettext_noop("gives %(name)s a value that is not ASCII")


def unheard(name: str, found: Any) -> None:
    """For callers that do not need them."""


# -- the request --------------------------------------------------------------------------------------------------


def known_of(mapping: Mapping, call: BotCall, left_s: float) -> dict[str, Any]:
    """What placeholders may name (`participants.mappings.templates.KNOWN`)."""
    text = call.text if call.turn else mapping.opening
    return {
        "text": text,
        "history": [{"role": said.role, "text": said.text} for said in call.history.said],
        "messages": _messages(call, text),
        "dialogue": call.dialogue,
        "turn": call.turn,
        "turn_key": call.turn_key,
        "context": call.context.given,
        "context_text": call.context.in_words,
        "language": call.language,
        "state": call.history.state,
        "deadline_ms": int(left_s * 1000),
        "secret": call.bot.secret,
    }


def _messages(call: BotCall, text: str) -> list[dict[str, str]]:
    """The dialogue as chat models take it: the context in words, the history, and the new utterance."""
    about = [{"role": "system", "content": call.context.in_words}] if call.context.in_words else []
    before = [{"role": ROLES[said.role], "content": said.text} for said in call.history.said]
    return [*about, *before, *([{"role": "user", "content": text}] if text else [])]


def request_of(mapping: Mapping, call: BotCall, left_s: float) -> tuple[str, bytes, dict[str, str]]:
    """Address, body and headers. Errors: `BotFailure` for what cannot be sent; nothing was then."""
    known, steps = known_of(mapping, call, left_s), Steps(STEPS_OF_A_REQUEST)
    body = to_json(_sent("request", lambda: mapping.request.filled(known, steps)))
    if len(body) > REQUEST_LIMIT_BYTES:
        raise _unsent(Finding("request", FILLED_TOO_LONG, {"n": REQUEST_LIMIT_BYTES // 1024}))
    query: dict[str, str] = _sent("query", lambda: filled_lines(mapping.query, known, steps))
    joined = f"{'&' if '?' in call.bot.url else '?'}{urlencode(query)}" if query else ""
    return call.bot.url + joined, body, _headers(mapping, call, known, steps)


def _headers(mapping: Mapping, call: BotCall, known: dict[str, Any], steps: Steps) -> dict[str, str]:
    own: dict[str, str] = _sent("headers", lambda: filled_lines(mapping.headers, known, steps))
    for name, value in own.items():
        if not is_header_text(value):
            raise _unsent(Finding("headers", NOT_ASCII, {"name": name}))
    usual = {"Idempotency-Key": call.turn_key} | ({} if mapping.sends_secret_itself else bearer(call.bot.secret))
    taken = {name.lower() for name in own}
    return {name: value for name, value in usual.items() if name.lower() not in taken} | own


def _sent(name: str, fill: Callable[[], Any]) -> Any:
    try:
        return fill()
    except Wrong as wrong:
        raise _unsent(wrong.at(name)) from wrong


def _unsent(finding: Finding) -> BotFailure:
    return BotFailure(FailureKind.BAD_SHAPE, finding, reached_bot=False)


# -- the answer ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """What the paths find in one answer; `note` hears of it."""

    mapping: Mapping
    note: Note = unheard
    end: bool = False
    state: Any = None
    text: ChangingText = field(default_factory=ChangingText)
    n_events: int = 0
    steps: Steps = field(default_factory=lambda: Steps(STEPS_OF_AN_ANSWER))

    def found(self, name: str, document: Any) -> Any:
        try:
            found = self.mapping.found(name, document, self.steps)
        except Wrong as wrong:
            raise BotFailure(FailureKind.BAD_SHAPE, wrong.at(name)) from wrong
        if name in self.mapping.paths:
            self.note(name, found)
        return found

    def hear_beside(self, document: Any) -> None:
        """All but the text. Errors: `BotFailure` with the bot's own words for an error of its."""
        error = self.found("error", document)
        if error not in NOTHING:
            raise refusal_of(error)
        end, state = self.found("end", document), self.found("state", document)
        self.end = self.end or (end is not None and of_kind(FLAG, end, "end"))
        self.state = self.state if state is None else state

    def reply(self, texts: tuple[str, ...]) -> Reply:
        return Reply(texts or EMPTY_REPLY, self.end, self.state)

    async def apart(self, hear: Callable[[Any], T], document: Any, n_bytes: int) -> T:
        """What `hear` makes of the document; every value of it may be visited by every part of every path."""
        before = self.steps.left
        heard = await apart(n_bytes * self.mapping.n_parts, hear, document)
        # Short events come many to a read: together they would hold the event loop.
        if before - self.steps.left > STEPS_WITHOUT_PAUSE:
            await asyncio.sleep(0)
        return heard

    # -- whole ----------------------------------------------------------------------------------------------------

    @property
    def name_of_whole(self) -> str:
        """The path to all of a reply; of a server that was asked for a stream and answers in one piece it may be that to a part."""
        return next(name for name in ("replies", "reply", "delta") if name in self.mapping.paths)

    def hear_whole(self, document: Any) -> Reply:
        reply = self.reply_in(document)
        if reply is None:
            raise self.nothing_found()
        return reply

    def reply_in(self, document: Any) -> Reply | None:
        """The whole reply; None where its path finds nothing."""
        self.n_events += 1
        self.hear_beside(document)
        name = self.name_of_whole
        found = self.found(name, document)
        if found is None:
            return None
        if name == "replies":
            listed = list_of(found, name)
            return self.reply(tuple(text_of(text, f"{name}[{i}]") for i, text in enumerate(listed)))
        return self.reply((text_of(found, name),))

    def nothing_found(self) -> BotFailure:
        if not self.n_events:
            return BotFailure(FailureKind.EMPTY, sentence(sentences.SOCKET_CLOSED_SILENTLY))
        return BotFailure(FailureKind.BAD_SHAPE, Finding(self.name_of_whole, FOUND_NOTHING))

    # -- streamed -------------------------------------------------------------------------------------------------

    def hear_event(self, document: Any) -> tuple[str, bool]:
        """What the event adds to the text that can be shown, and whether it completes the reply."""
        self.n_events += 1
        self.hear_beside(document)
        shown = ""
        delta, whole = self.found("delta", document), self.found("reply", document)
        if delta not in NOTHING:
            hear = self.text.become if self.mapping.is_cumulative else self.text.add
            shown = hear(string_of(delta, "delta"), "delta")
        if whole not in NOTHING:
            shown += self.text.become(string_of(whole, "reply"), "reply")
        return shown, self.found("done", document) not in NOTHING

    def streamed_reply(self, *, is_complete: bool) -> Reply:
        if not self.n_events:
            raise BotFailure(FailureKind.EMPTY, sentence(sentences.NO_EVENT_IN_STREAM))
        if not is_complete and "done" in self.mapping.paths:
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        return self.reply((self.text.whole("delta"),))


async def _read_events(
    reading: _Reading, events: Events, line: Line, on_delta: Hear, grace_s: float = GRACE_AFTER_END_S
) -> Reply:
    async def hear(name: str, payload: bytes) -> bool:
        # OpenAI's mark for the end, bare or as JSON, is no event of its own.
        if payload in (b"[DONE]", b'"[DONE]"'):
            return reading.n_events > 0
        event = _named(name, await json_of(payload))
        shown, is_complete = await reading.apart(reading.hear_event, event, len(payload))
        if shown:
            on_delta(shown)
        return is_complete

    is_complete = await heard_to_end(events, line, hear, grace_s)
    return reading.streamed_reply(is_complete=is_complete)


async def _reply_over_socket(
    reading: _Reading, sent: tuple[str, bytes, dict[str, str]], line: Line, on_delta: Hear
) -> Reply:
    """One socket per turn: the request is its one message. Without deltas the first message with a reply is the reply."""
    url, content, headers = sent
    async with line.socket(url, headers) as socket:
        await socket.send(content.decode())
        messages = messages_of(socket)
        if "delta" in reading.mapping.paths:
            return await _read_events(reading, messages, line, on_delta, grace_s=0.0)
        return await _first_reply(reading, messages, line)


async def _first_reply(reading: _Reading, messages: Events, line: Line) -> Reply:
    replies: list[Reply] = []

    async def hear(name: str, payload: bytes) -> bool:
        reply = await reading.apart(reading.reply_in, await json_of(payload), len(payload))
        replies.extend([reply] if reply else [])
        return reply is not None

    await heard_to_end(messages, line, hear, grace_s=0.0)
    if not replies:
        raise reading.nothing_found()
    return replies[0]


def _named(name: str, document: Any) -> Any:
    """The event with its name at `event`, unless it has a field of that name itself."""
    if not name:
        return document
    return {"event": name, **document} if isinstance(document, dict) else {"event": name, "data": document}


async def reply_by(mapping: Mapping, call: BotCall, line: Line, on_delta: Hear, note: Note = unheard) -> Reply:
    """Asks as the mapping says. A server that answers a request for a stream in one piece is read whole."""
    reading, sent = _Reading(mapping, note), request_of(mapping, call, line.left_s)
    if mapping.stream_kind == WEBSOCKET:
        return await _reply_over_socket(reading, sent, line, on_delta)
    url, content, headers = sent
    async with line.post(url, content, headers) as answer:
        if mapping.stream_kind == NO_STREAM or (mapping.stream_kind == SSE and is_json(answer)):
            document = await json_body(answer)
            return await reading.apart(reading.hear_whole, document, answer.n_read)
        events = sent_events(answer) if mapping.stream_kind == SSE else json_lines(answer)
        return await _read_events(reading, events, line, on_delta)


async def reply(call: BotCall, line: Line, on_delta: Hear, note: Note = unheard) -> Reply:
    mapping = mapping_of(call.bot.options)
    if isinstance(mapping, Finding):
        raise _unsent(mapping)
    return await reply_by(mapping, call, line, on_delta, note)


def spoken_by(mapping_for: Callable[[BotCall], Mapping]) -> Callable[[BotCall, Line, Hear], Awaitable[Reply]]:
    """How a protocol sends that is a mapping; which one may depend on the bot's options."""

    async def send(call: BotCall, line: Line, on_delta: Hear) -> Reply:
        return await reply_by(mapping_for(call), call, line, on_delta)

    return send


ADAPTER = Adapter(
    send=reply,
    name=_("Your own JSON"),
    line=_("a home-made system: you describe what is sent and where the reply is"),
    options={name: Option(kind) for name, kind in MAPPING_OPTIONS.items()} | {"opening": OPENING},
    check=check_mapping,
)
