"""The native protocol, huace/1 (design §7): `{"text": …}` or `{"texts": […], "end": false}` answers a POST. `"choices": ["…"]` offers answers:
they are said as the last lines, and the tester can press them. `"images": ["https://…"]` names pictures, which the platform fetches.

Or server-sent events, where the answer is `text/event-stream`: `data: {"delta": "…"}` as often as the bot likes, then one event
that is such an answer. That one counts; `end` alone in it means the deltas, joined. `data: {"error": "…"}` is a failure.

An answer, and each event, may repeat `dialogue` and `turn`; another one than was asked is a failure, since it is not for this tester.

`options.close` has the bot hear of the end of its dialogues: `{"protocol", "dialogue", "close": true, "language"}`.
"""

from typing import Any, Literal, TypedDict

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Farewell,
    Reply,
    Utterance,
    bearer,
    choices_in,
    given_context,
    is_stream,
    json_body,
    json_of,
    list_of,
    object_of,
    of_kind,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.chat import BROKE_OFF, refusal_of
from participants.adapters.contract import Adapter, Hear, Option
from participants.adapters.echoes import check_names
from participants.adapters.streams import GrowingText, heard_to_end, sent_events
from participants.failures import BotFailure, FailureKind
from participants.outbound import Line
from reading.findings import BODY, Finding
from reading.kinds import FLAG


class SaidNow(TypedDict):
    """The turn that is to be answered."""

    protocol: str
    dialogue: str
    turn: int
    text: str
    language: str
    deadline_ms: int


class SaidBefore(TypedDict):
    role: Literal["user", "bot"]
    text: str


class Request(SaidNow):
    """The body of a call: the turn, then what earlier turns encoded already."""

    context: dict[str, Any]
    history: list[SaidBefore]


class Close(TypedDict):
    """The dialogue is over; the bot answers nothing."""

    protocol: str
    dialogue: str
    close: Literal[True]
    language: str


def request_of(call: BotCall, left_s: float) -> bytes:
    """A `Request`. Context and history come last, as earlier turns encoded them."""
    now: SaidNow = {
        "protocol": "huace/1",
        "dialogue": call.dialogue,
        "turn": call.turn,
        "text": call.text,
        "language": call.language,
        "deadline_ms": int(left_s * 1000),
    }
    context, history = call.context.encoded(given_context), call.history.encoded(said_before)
    return b'%b,"context":%b,"history":[%b]}' % (to_json(now)[:-1], context, history)


def said_before(said: Utterance) -> bytes:
    before: SaidBefore = {"role": said.role, "text": said.text}
    return to_json(before)


def reply_of(parsed: Any) -> Reply:
    answer = object_of(parsed, BODY)
    end = of_kind(FLAG, answer.get("end", False), "end")
    images = tuple(text_of(one, f"images[{i}]") for i, one in enumerate(list_of(answer.get("images", []), "images")))
    if "texts" in answer:
        texts = [text_of(text, f"texts[{i}]") for i, text in enumerate(list_of(answer["texts"], "texts"))]
    elif "text" in answer:
        texts = [text_of(answer["text"], "text")]
    elif images:
        texts = []
    else:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, gettext_noop("has neither text nor texts")))
    offered = [text_of(one, f"choices[{i}]") for i, one in enumerate(list_of(answer.get("choices", []), "choices"))]
    if offered:
        texts = [*texts[:-1], "\n".join([*texts[-1:], *offered])]
    places = ((len(texts) - 1, line) for _bubble, line in choices_in(texts[-1:], [offered] if texts else []))
    return Reply(tuple(texts) or EMPTY_REPLY, end, choices=tuple(places), images=images)


def reply_to(call: BotCall, parsed: Any) -> Reply:
    """The reply, unless it is about something else. Errors: `BotFailure`."""
    check_names(object_of(parsed, BODY), call)
    return reply_of(parsed)


class _Streamed:
    """The reply as its events tell it."""

    def __init__(self, call: BotCall, on_delta: Hear) -> None:
        self._call = call
        self.said: Reply | None = None
        self._text = GrowingText()
        self._on_delta = on_delta

    async def hear(self, name: str, event: bytes) -> bool:
        part = object_of(await json_of(event), BODY)
        if part.get("error"):
            raise refusal_of(part["error"])
        check_names(part, self._call)
        if "delta" in part:
            if shown := self._text.hear(string_of(part["delta"], "delta"), "delta"):
                self._on_delta(shown)
            return False
        if "end" in part and not part.keys() & {"text", "texts", "images"}:
            part["text"] = self._text.whole("delta")
        self.said = reply_of(part)
        return True


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    headers = {
        "Accept": "text/event-stream, application/json",
        "Idempotency-Key": call.turn_key,
        **bearer(call.bot.secret),
    }
    async with line.post(call.bot.url, request_of(call, line.left_s), headers) as answer:
        if not is_stream(answer):
            return reply_to(call, await json_body(answer))
        streamed = _Streamed(call, on_delta)
        await heard_to_end(sent_events(answer), line, streamed.hear)
        if streamed.said is None:
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        return streamed.said


def farewell_of(farewell: Farewell) -> bytes:
    said: Close = {"protocol": "huace/1", "dialogue": farewell.dialogue, "close": True, "language": farewell.language}
    return to_json(said)


async def close(farewell: Farewell, line: Line) -> None:
    """Only bots that ask for it are told: others would answer the end of a dialogue like a turn."""
    if farewell.bot.options.get("close") is True:
        headers = {"Idempotency-Key": f"{farewell.dialogue}:close", **bearer(farewell.bot.secret)}
        async with line.post(farewell.bot.url, farewell_of(farewell), headers) as answer:
            await answer.body()


ADAPTER = Adapter(
    send=reply,
    name=_("Huace"),
    line=_("the platform's own: JSON with text, history and context in, text out, whole or streamed"),
    options={"close": Option(FLAG, _("tell the system when a dialogue is over"))},
    close=close,
)
