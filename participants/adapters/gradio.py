"""Gradio 4 to 6: a chat function of an app, called as the app's own page calls it.

GET  …/config                                 what the app is made of: `api_prefix`, `dependencies`, `components`
POST …<prefix>/queue/join                     {"data": […], "fn_index", "session_hash"} → {"event_id"}
GET  …<prefix>/queue/data?session_hash=…      server-sent events to `process_completed` of that event

Only the queue knows sessions, in all three versions; `/call/…` begins a new one each time (stack.md 16). So the session is the
dialogue. `api_prefix` is empty before version 5. The first `process_generating` holds the outputs themselves, the later ones
edits of them (`[["append", [], "好"]]`), `process_completed` the outputs as a whole: observed with gradio 4.44, 5.50 and 6.31; the
client that comes with gradio reads them the same way (`gradio_client.utils.apply_diff`).

Which function is the chat is found in the configuration (gradio_functions.py), once per dialogue, and kept as the state.

Paths of edits are keys and indexes from the value itself; an empty one is the value. Lists grow in place. A text that grows, and a
list that something is put into or taken out of, is copied, and a short edit may copy much; all that is copied for one reply is
counted together (`Copies`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from participants import failure_sentences as sentences
from participants.adapters.calls import (
    EMPTY_REPLY,
    BotCall,
    Reply,
    Utterance,
    bearer,
    json_body,
    json_of,
    list_of,
    object_of,
    string_of,
    text_of,
    to_json,
)
from participants.adapters.chat import BROKE_OFF, ROLES, refusal_of
from participants.adapters.contract import OPENING, Adapter, Hear, Heard, Option, Question
from participants.adapters.gradio_functions import MESSAGES, PARTS, Function, function_of, known_function
from participants.adapters.streams import REWRITTEN_LIMIT, ChangingText, heard_to_end, sent_events
from participants.failures import BotFailure, FailureKind
from participants.outbound import Answer, Line
from reading.findings import BODY, Finding, sentence
from reading.kinds import Text
from reading.strict_json import NotJson, loads
from serving.large_texts import apart

CONFIG = "output.data"
# Looking at a part takes as long as copying this many characters.
COPIES_PER_PART = 256


# -- one turn -----------------------------------------------------------------------------------------------------
EDIT_PARTS = 3
PATH_LIMIT = 40


def request_of(call: BotCall, function: Function) -> bytes:
    values, text = list(function.inputs), _text(call)
    values[function.typed] = {"text": text, "files": []} if function.is_multimodal else text
    if function.said is not None:
        values[function.said] = said_before(call.history.said, function.said_as)
    if function.told is not None and call.context.in_words:
        values[function.told] = "\n\n".join(part for part in (function.system, call.context.in_words) if part)
    if function.language is not None and call.language in function.languages:
        values[function.language] = function.languages[call.language]
    joined = {"data": values, "fn_index": function.number, "session_hash": session_of(call)}
    return to_json(joined | {"event_data": None, "trigger_id": None})


def _text(call: BotCall) -> str:
    return call.text if call.turn else str(call.bot.options.get("opening") or "")


def session_of(call: BotCall) -> str:
    return call.dialogue.replace("-", "")


def said_before(said: tuple[Utterance, ...], said_as: str) -> list[Any]:
    """The history as a chatbot component holds it: messages, those with a list of parts, or pairs of question and answer."""
    if said_as == PARTS:
        return [{"role": ROLES[one.role], "content": [{"type": "text", "text": one.text}]} for one in said]
    if said_as == MESSAGES:
        return [{"role": ROLES[one.role], "content": one.text} for one in said]
    pairs: list[list[str | None]] = []
    for one in said:
        if one.role == "user":
            pairs.append([one.text, None])
        elif pairs and pairs[-1][1] is None:
            pairs[-1][1] = one.text
        else:
            pairs.append([None, one.text])
    return pairs


async def reply(call: BotCall, line: Line, on_delta: Hear) -> Reply:
    base, headers = base_of(call.bot.url), bearer(call.bot.secret)
    function = known_function(call.history.state)
    if function is None:
        async with line.get(f"{base}/config", headers) as answer:
            function = function_of(await json_body(answer), str(call.bot.options.get("api_name") or ""))
    async with line.post(f"{base}{function.prefix}/queue/join", request_of(call, function), headers) as answer:
        event = text_of(object_of(await json_body(answer), BODY).get("event_id"), "event_id")
    query = urlencode({"session_hash": session_of(call)})
    with _joined():
        async with line.get(f"{base}{function.prefix}/queue/data?{query}", headers) as answer:
            heard = _Outputs(event, function.spoken)
            await _hear_outputs(heard, answer, line, on_delta)
            return heard.reply(function)


@contextmanager
def _joined() -> Iterator[None]:
    """No answer to a join is a reply, but it begins the turn: whatever fails from here on, nothing is asked again."""
    try:
        yield
    except BotFailure as failure:
        failure.reached_bot, failure.retry_after_s = True, None
        raise


async def _hear_outputs(heard: "_Outputs", answer: Answer, line: Line, on_delta: Hear) -> None:
    async def hear(name: str, payload: bytes) -> bool:
        shown = await apart(len(payload), heard.hear, await json_of(payload))
        if shown:
            on_delta(shown)
        return heard.is_complete

    await heard_to_end(sent_events(answer), line, hear)


def base_of(url: str) -> str:
    return url.partition("?")[0].rstrip("/").removesuffix("/gradio_api")


class _Outputs:
    """The outputs of one event as the queue tells them; messages about others, and of the queue itself, are passed over."""

    def __init__(self, event: str, spoken: int) -> None:
        self.is_complete = False
        self._event = event
        self._spoken = spoken
        # The output, followed by what was added to it if it is a text.
        self._output: list[Any] | None = None
        self._text = ChangingText()
        self._copies = Copies()

    def hear(self, parsed: Any) -> str:
        """What the message adds to the text that can be shown."""
        message = object_of(parsed, BODY)
        kind = message.get("msg")
        if message.get("event_id") not in (None, self._event):
            return ""
        if kind in ("queue_full", "unexpected_error"):
            raise refusal_of(message.get("message") or kind)
        if kind not in ("process_generating", "process_completed"):
            return ""
        output = object_of(message.get("output"), "output")
        if message.get("success") is False:
            raise refusal_of(output.get("error") or gettext_noop("failed without a word"))
        self.is_complete = kind == "process_completed"
        told = list_of(output.get("data"), CONFIG)
        if self._output is None or self.is_complete:
            return self._begin(told)
        return self._edit(told[self._spoken] if len(told) > self._spoken else [])

    def _begin(self, told: list[Any]) -> str:
        """The outputs themselves. The end of a generator repeats them, or gives nothing if they are unchanged."""
        if len(told) <= self._spoken:
            if self._output is None:
                raise BotFailure(FailureKind.BAD_SHAPE, Finding(CONFIG, gettext_noop("has no text at its place")))
            return ""
        self._output = [told[self._spoken]]
        return self._text.become(self._said(), CONFIG)

    def _edit(self, edits: Any) -> str:
        """The usual edit is a word at the end of a text: that costs the word, not the text."""
        output = self._output or [None]
        words = [edit[2] for edit in list_of(edits, CONFIG) if is_word(edit)]
        if isinstance(output[0], str) and len(words) == len(edits):
            output += words
            return "".join(self._text.add(word, CONFIG) for word in words)
        whole = "".join(output) if isinstance(output[0], str) else output[0]
        self._output = [edited(whole, edits, CONFIG, self._copies)]
        return self._text.become(self._said(), CONFIG) if edits else ""

    def _said(self) -> str:
        return said_in((self._output or [None])[0], f"{CONFIG}[{self._spoken}]", self._copies)

    def reply(self, function: Function) -> Reply:
        if not self.is_complete:
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(BODY, BROKE_OFF))
        text = self._text.whole(CONFIG)
        return Reply((text,) if text else EMPTY_REPLY, state={"function": asdict(function)})


def is_word(edit: Any) -> bool:
    """Whether the edit adds to the end of a text and does nothing else."""
    return (
        isinstance(edit, list) and len(edit) == EDIT_PARTS and edit[:2] == ["append", []] and isinstance(edit[2], str)
    )


class Copies:
    """Counts what edits copy, in characters and places of lists. Errors: `BotFailure` (`too_long`) beyond the limit."""

    def __init__(self, limit: int = REWRITTEN_LIMIT) -> None:
        self._left = limit

    def take(self, n: int) -> None:
        self._left -= n
        if self._left < 0:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.OUTPUT_REWRITTEN))


def edited(value: Any, edits: Any, place: str, copies: Copies) -> Any:
    """The value with all edits made; it may be changed in place. Errors: `BotFailure` (`bad_shape`) for what is no edit of it."""
    for edit in list_of(edits, place):
        try:
            act, path, part = edit if len(edit) == EDIT_PARTS else (*edit, None)
            if len(path) > PATH_LIMIT:
                raise ValueError
            value = _edited(value, act, path, part, copies)
        except (TypeError, ValueError, LookupError, OverflowError) as wrong:
            text = gettext_noop("holds an edit that cannot be made")
            raise BotFailure(FailureKind.BAD_SHAPE, Finding(place, text)) from wrong
    return value


def _edited(value: Any, act: str, path: list[Any], part: Any, copies: Copies) -> Any:
    if not path:
        return _made(value, act, part, copies)
    *way, last = path
    holder = value
    for key in way:
        holder = holder[key]
    if isinstance(holder, list) and act in {"add", "delete"}:
        copies.take(len(holder))
    if act == "add" and isinstance(holder, list):
        holder.insert(last, part)
    elif act == "delete":
        del holder[last]
    else:
        holder[last] = part if act == "add" else _made(holder[last], act, part, copies)
    return value


def _made(value: Any, act: str, part: Any, copies: Copies) -> Any:
    if act in {"replace", "add"}:
        return part
    if act == "append" and isinstance(value, list) and isinstance(part, list):
        value += part
        return value
    if act == "append":
        copies.take(len(value))
        return value + part
    if act == "delete":
        return None
    raise ValueError(act)


def said_in(value: Any, place: str, copies: Copies) -> str:
    """The text of an output: a text, a message, a list of messages or pairs of which the last is the answer."""
    if value is None:
        return ""
    if isinstance(value, list):
        if value and _is_part(value[0]):
            # After each edit, however small.
            copies.take(len(value) * COPIES_PER_PART)
        parts = [said_in(part, place, copies) for part in value] if all(map(_is_part, value)) else []
        return "".join(parts) if parts else said_in(value[-1], place, copies) if value else ""
    if isinstance(value, dict) and value.get("role") == "user":
        # The question, which the chatbot shows before its answer begins.
        return ""
    if isinstance(value, dict):
        inner = next((value[name] for name in ("content", "text", "value") if value.get(name) is not None), "")
        return said_in(inner, place, copies)
    return string_of(value, place)


def _is_part(value: Any) -> bool:
    """Whether this is a part of a message, as version 6 writes its content: `[{"type": "text", "text": …}]`."""
    return isinstance(value, dict) and "type" in value and "role" not in value


# -- what speaks for it -------------------------------------------------------------------------------------------

ASKED: Question = ("GET", "config")


def clue_in(heard: Any) -> Finding | None:
    version = version_in(heard)
    return sentence(gettext_noop("GET config is answered as %(version)s does."), version=version) if version else None


def version_in(heard: Any) -> str:
    answer: Heard | None = heard.get(ASKED)
    if answer is None or answer.status != 200:
        return ""
    # The beginning of a long configuration is no JSON; what it names first is enough.
    try:
        config = loads(answer.body)
        version = config.get("version") if isinstance(config, dict) and "dependencies" in config else None
    except NotJson:
        version = _version_at_the_start(answer.body)
    return f"Gradio {version}" if isinstance(version, str) else ""


def _version_at_the_start(body: bytes) -> str | None:
    head = body[:300].decode("utf-8", "replace")
    named, _, rest = head.partition('"version":"')
    is_gradio = "gradio" in body.decode("utf-8", "replace") or '"api_prefix"' in head
    return rest.partition('"')[0] if rest and is_gradio and len(named) < 20 else None


ADAPTER = Adapter(
    send=reply,
    name="Gradio",
    line=_("the chat function of a Gradio app, version 4 to 6"),
    options={
        "api_name": Option(Text(200), _("the name of the chat function, where there are several")),
        "opening": OPENING,
    },
    questions=(ASKED,),
    clue_in=clue_in,
    version_in=version_in,
)
