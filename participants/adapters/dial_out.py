"""Dial-out: the bot has connected to the platform, and a turn is a frame on its socket (docs/dial-out.md).

    platform → bot   {"type": "turn", "id": …, "again": false, and the fields of a huace/1 request}
                     {"type": "close", and the fields of huace/1's farewell}: the dialogue is over, and nobody waits for a word
    bot → platform   {"type": "reply", "id": …, "text" | "texts": …, "end": …}, {"type": "error", "id": …, "message": …},
                     {"type": "delta", "id": …, "text": …}: shown while the reply comes, which says all of it once more

Nothing leaves the process here: the bot's socket came in through the front door, so the guard has nothing to check.
"""

from django.utils.translation import gettext_lazy as _

from participants import failure_sentences as sentences
from participants.adapters import native
from participants.adapters.calls import BotCall, Farewell, Reply, string_of, text_of
from participants.adapters.contract import Adapter, Hear
from participants.adapters.echoes import check_names
from participants.adapters.streams import GrowingText
from participants.dial_out import exchange
from participants.dial_out.exchange import OpenTurn, not_connected
from participants.dial_out.frames import BotFrame, close_frame, turn_frame
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound import Line
from participants.outbound.traffic import Traffic
from reading.findings import sentence


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    """The bot's reply. Errors: `BotFailure`; nothing has reached the bot only where it was not connected at all."""
    turn_id = line.begin_traffic().request_id
    frame = turn_frame(turn_id, native.request_of(call, line.left_s))
    partial = Partial(on_delta)
    with exchange.current().open(call.bot.url, turn_id, frame, line.left_s) as turn:
        try:
            async with line.limit():
                return await _reply_in(turn, call, partial, line.traffic)
        except TimeoutError as late:
            raise timed_out(turn, partial, line.deadline_s) from late
        finally:
            if turn.is_handed:
                line.traffic.sent(len(frame.encode()), is_new_connection=False)


async def _reply_in(turn: OpenTurn, call: BotCall, partial: "Partial", traffic: Traffic) -> Reply:
    while True:
        frame = await turn.heard()
        traffic.received(frame.in_utf8)
        try:
            if frame.kind == "error":
                raise said_no(frame)
            check_names(frame.content, call)
            if frame.kind == "delta":
                partial.hear(string_of(frame.content.get("text"), "text"))
            else:
                return native.reply_of(frame.content)
        except BotFailure as failure:
            failure.evidence = failure.evidence or frame.in_utf8.decode()[:EVIDENCE_LIMIT]
            raise


class Partial:
    """The part of a reply that is shown while it comes."""

    def __init__(self, on_delta: Hear) -> None:
        self._on_delta = on_delta
        self._text = GrowingText()
        self.n_characters = 0

    def hear(self, text: str) -> None:
        self.n_characters += len(text)
        if shown := self._text.hear(text, "text"):
            self._on_delta(shown)


def said_no(frame: BotFrame) -> BotFailure:
    """The bot's own error: what a server says with a status of 500."""
    message = text_of(frame.content.get("message", ""), "message")[:EVIDENCE_LIMIT]
    detail = sentence(sentences.ITS_ERROR, received=message) if message else sentence(sentences.ITS_ERROR_UNSAID)
    return BotFailure(FailureKind.HTTP_5XX, detail)


def timed_out(turn: OpenTurn, partial: Partial, deadline_s: float) -> BotFailure:
    if not turn.is_handed:
        return not_connected()
    if not partial.n_characters:
        detail = sentence(sentences.NO_ANSWER_IN_TIME, seconds=f"{deadline_s:g}")
        return BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, detail)
    detail = sentence(sentences.NOT_COMPLETE_CHARACTERS, seconds=f"{deadline_s:g}", n=partial.n_characters)
    return BotFailure(FailureKind.TIMEOUT_TOTAL, detail)


async def close(farewell: Farewell, line: Line) -> None:
    """Every bot is told: unlike a request, a frame of a type of its own is never taken for a turn."""
    await exchange.current().tell(farewell.bot.url, close_frame(native.farewell_of(farewell)))


def frame_of(call: BotCall) -> str:
    """The frame as it is shown afterwards: its id is known to the bot alone."""
    return turn_frame("…", native.request_of(call, call.deadline_s))


ADAPTER = Adapter(
    send=reply,
    name=_("It connects to us"),
    line=_("a system behind a firewall that opens a WebSocket to the platform; no URL"),
    close=close,
    frame=frame_of,
)
