"""DialPort's agents, which DialCrowd asks too: a session of three endpoints below one URL (github.com/DialRC/PortalAPI).

POST …/init {"sessionID", "userID", "timeStamp"} begins a session and is greeted; POST …/next with "text" and "asrConf" as well is one turn; POST …/end
is the end. Each is answered by {"sessionID", "sys", "version", "terminal", "timeStamp"}: `sys` is what the agent says, `terminal`
that it ends the dialogue, `imageurl` a picture beside it, which is fetched. Times are Pittsburgh's (UTC-4), as the API asks for.

Where the bot opens the dialogue, its greeting is the opening. Where the tester does, the first turn asks for both: the greeting
is not shown, unless it ends the session. A session that the agent ended is restarted where bots end no dialogue. The session's name is the agent's where it gives another than ours; it is kept in the turn's state with
`version`. `language`, and `context` where the scenario gives one, are extra parameters, which the API leaves room for.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import (
    EMPTY_REPLY,
    BotAddress,
    BotCall,
    Farewell,
    Reply,
    State,
    bearer,
    json_body,
    object_of,
    of_kind,
    text_of,
    to_json,
)
from participants.adapters.contract import Adapter, Hear, Heard, Question, may_post
from participants.adapters.echoes import check_name, mixed_up, name_of
from participants.outbound import Line
from reading.findings import BODY, Finding, sentence
from reading.kinds import FLAG

PITTSBURGH = timezone(timedelta(hours=-4))
ENDPOINTS = ("/init", "/next", "/end")
QUESTIONS: tuple[Question, ...] = (("OPTIONS", "init"), ("OPTIONS", "next"))
# Testers type: nothing was recognized wrongly.
CERTAIN = 1.0


def url_of(url: str, endpoint: str) -> str:
    """That endpoint; the agent's URL may be given as any of them."""
    base = url.rstrip("/")
    for known in ENDPOINTS:
        base = base.removesuffix(known)
    return base + endpoint


def time_stamp(at: datetime) -> str:
    return at.astimezone(PITTSBURGH).strftime("%Y-%m-%dT%H-%M-%S.") + f"{at.microsecond // 1000:03}"


def beginning_of(call: BotCall, at: datetime) -> bytes:
    return to_json(_about(name_of(call.dialogue), call.dialogue, at) | _extras(call))


def turn_of(call: BotCall, session: str, at: datetime) -> bytes:
    said = {"text": call.text, "asrConf": CERTAIN}
    return to_json(_about(session, call.dialogue, at) | said | _extras(call))


def _about(session: str, dialogue: str, at: datetime) -> dict[str, Any]:
    # A user of a dialogue of their own each: who the tester is stays here.
    return {"sessionID": session, "userID": dialogue, "timeStamp": time_stamp(at)}


def _extras(call: BotCall) -> dict[str, Any]:
    context = {"context": call.context.given} if call.context.given else {}
    return {"language": call.language, **context}


def reply_of(parsed: Any, session: str) -> Reply:
    answer = object_of(parsed, BODY)
    text = text_of(answer.get("sys"), "sys")
    image = answer.get("imageurl")
    ends = of_kind(FLAG, answer.get("terminal", False), "terminal")
    named = answer.get("sessionID")
    state = {"session": named if isinstance(named, str) and named else session, "is_over": ends}
    if isinstance(answer.get("version"), str):
        state["version"] = answer["version"]
    return Reply(
        (text,) if text else EMPTY_REPLY, ends, state, images=(image,) if isinstance(image, str) and image else ()
    )


def check_session(parsed: Any, session: str, dialogue: str) -> None:
    """An answer names the session that was asked. One that has our name so far may get one of the agent's, whatever its shape.

    Errors: `BotFailure` (`other_dialogue`): taken over, the name would have the next turns asked in somebody else's session.
    """
    named = object_of(parsed, BODY).get("sessionID")
    check_name(named, dialogue, "sessionID")
    is_the_agents = session != name_of(dialogue)
    if is_the_agents and isinstance(named, str) and named and named != session:
        raise mixed_up("sessionID", named, session)


def session_in(state: State) -> str:
    """The session that goes on; empty where none was begun, or the agent ended it."""
    if not isinstance(state, dict) or state.get("is_over"):
        return ""
    return str(state.get("session", ""))


async def _asked(line: Line, bot: BotAddress, endpoint: str, content: bytes, key: str) -> Any:
    headers = {"Idempotency-Key": key, **bearer(bot.secret)}
    async with line.post(url_of(bot.url, endpoint), content, headers) as answer:
        return await json_body(answer)


async def greeting(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    content, session = beginning_of(call, datetime.now(UTC)), name_of(call.dialogue)
    answer = await _asked(line, call.bot, "/init", content, f"{call.dialogue}:init")
    check_session(answer, session, call.dialogue)
    return reply_of(answer, session)


async def _begun_once(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    """The greeting. All tries of a turn share their line: the session is not begun again where only the turn has to wait."""
    if line.noted is None:
        line.noted = await greeting(call, line, on_delta)
    begun: Reply = line.noted
    return begun


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    session = session_in(call.history.state)
    if not session:
        begun = await _begun_once(call, line, on_delta)
        if begun.end:
            return begun
        session = session_in(begun.state)
    content = turn_of(call, session, datetime.now(UTC))
    answer = await _asked(line, call.bot, "/next", content, call.turn_key)
    check_session(answer, session, call.dialogue)
    return reply_of(answer, session)


async def close(farewell: Farewell, line: Line) -> None:
    """Ends a session that was begun and that the agent has not ended itself."""
    session = session_in(farewell.state)
    if session:
        content = to_json(_about(session, farewell.dialogue, datetime.now(UTC)))
        await _asked(line, farewell.bot, "/end", content, f"{farewell.dialogue}:end")


def clue_in(heard: Mapping[Question, Heard]) -> Finding | None:
    has_both = all(may_post(heard.get(question)) for question in QUESTIONS)
    return sentence(gettext_noop("It takes POST at /init and /next, as DialPort agents do.")) if has_both else None


ADAPTER = Adapter(
    send=reply,
    name=_("DialPort and DialCrowd"),
    line=_("sessions by /init, /next and /end"),
    open=greeting,
    close=close,
    questions=QUESTIONS,
    clue_in=clue_in,
)
