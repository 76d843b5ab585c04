"""ConvLab's agents, as the human evaluation of ConvLab-2 and DSTC9's multi-domain track deploy them (`human_eval/run_agent.py`).

POST {"input": "…", "agent_state": {}} → {"response": "…", "agent_state": …}. The agent keeps nothing: what it gives as its
state comes back with the next turn, whatever it is, and an empty object begins a dialogue. An agent that gives none has
the empty object again. The protocol knows no end and no history.

`language`, and `context` where the scenario gives one, are sent beside the two fields: agents read the fields they know by
name. `options` may hold `opening`, what the user says to have the bot open a dialogue.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Reply,
    bearer,
    given_context,
    json_body,
    object_of,
    text_of,
    to_json,
)
from participants.adapters.contract import OPENING, Adapter, Hear
from participants.outbound import Line
from reading.findings import BODY

BEGINNING: dict[str, Any] = {}


def request_of(call: BotCall) -> bytes:
    """The body of the call. The context comes last, as earlier turns encoded it."""
    text = call.text if call.turn else call.bot.options.get("opening", "")
    state = BEGINNING if call.history.state is None else call.history.state
    said_now = to_json({"input": text, "agent_state": state, "language": call.language})
    return (
        b'%b,"context":%b}' % (said_now[:-1], call.context.encoded(given_context)) if call.context.given else said_now
    )


def reply_of(parsed: Any) -> Reply:
    answer = object_of(parsed, BODY)
    text = text_of(answer.get("response"), "response")
    return Reply((text,) if text else EMPTY_REPLY, state=answer.get("agent_state"))


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    headers = {"Idempotency-Key": call.turn_key, **bearer(call.bot.secret)}
    async with line.post(call.bot.url, request_of(call), headers) as answer:
        return reply_of(await json_body(answer))


# No question: with a Flask before 2.1, a GET of its URL reaches the queue of `run_agent.py`, whose only worker ends at the missing body.
ADAPTER = Adapter(
    send=reply,
    name=_("ConvLab and DSTC9"),
    line=_("an agent whose whole state travels with every turn"),
    options={"opening": OPENING},
)
