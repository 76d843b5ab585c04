"""What chat models are asked and answer in common: a list of messages with roles, tools, errors."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants.adapters.calls import EMPTY_REPLY, BotCall, Context, Reply, Utterance, to_json
from participants.adapters.contract import OPENING, Option
from participants.failures import BotFailure, FailureKind
from reading.findings import BODY, Finding
from reading.kinds import Text, Whole

CHAT_OPTIONS = {
    "model": Option(Text(200)),
    "system": Option(Text(4000), _("a system message")),
    "opening": OPENING,
    "max_tokens": Option(Whole(1, 100_000)),
}
ROLES = {"user": "user", "bot": "assistant"}
ERROR_MESSAGE_LIMIT = 500
NO_TOOLS = gettext_noop("calls tools and says nothing; the platform has no tools")
BROKE_OFF = gettext_noop("broke off before its end")
ITS_ERROR = gettext_noop("is an error of the system's: %(message)s")


def messages_of(call: BotCall) -> list[bytes]:
    messages = _system_message(call)
    # Who has the user open the dialogue needs that on every turn: roles that do not alternate are refused by many.
    opening = call.bot.options.get("opening", "")
    if opening and (call.turn == 0 or call.history.is_opened_by_bot):
        messages.append(_user_message(opening))
    if call.history.said:
        messages.append(call.history.encoded(message_of))
    if call.turn or not messages:
        messages.append(_user_message(call.text))
    return messages


def _system_message(call: BotCall) -> list[bytes]:
    """The bot's own words, then the campaign's for the context, joined as what stands between the quotes of a JSON string."""
    own = to_json(str(call.bot.options.get("system") or ""))[1:-1]
    said = [part for part in (own, call.context.encoded(words_in_quotes)) if part]
    return [b'{"role":"system","content":"%b"}' % b"\\n\\n".join(said)] if said else []


def words_in_quotes(context: Context) -> bytes:
    return to_json(context.in_words)[1:-1]


def _user_message(text: str) -> bytes:
    return to_json({"role": "user", "content": text})


def message_of(said: Utterance) -> bytes:
    return to_json({"role": ROLES[said.role], "content": said.text})


def refusal_of(error: Any) -> BotFailure:
    """The failure that an error of the bot's is: in its own words, or as it came."""
    return BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, ITS_ERROR, {"message": _message_of(error)}))


def _message_of(error: Any) -> str:
    message = error.get("message") if isinstance(error, dict) else error
    shown = message if isinstance(message, str) and message else json.dumps(error, ensure_ascii=False)
    return shown[:ERROR_MESSAGE_LIMIT].encode("utf-8", "backslashreplace").decode()


def calls_tools(said: dict[str, Any]) -> bool:
    return bool(said.get("tool_calls") or said.get("function_call"))


def said_or_empty(text: str, *, is_calling_tools: bool) -> Reply:
    if not text and is_calling_tools:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, NO_TOOLS))
    return Reply((text,) if text else EMPTY_REPLY)
