"""Reads what an OpenAI-compatible server answers to a chat completion, strictly. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.utils.translation import gettext_noop

from language_models.answer_schemas import note_misfits
from language_models.limits import ANSWER_LIMIT
from language_models.prompts import ANSWER, Prompt
from language_models.refusals import ModelRefusal, Why
from reading.checking import Problems
from reading.findings import BODY, Finding, sentence
from reading.storable import UNSTORABLE, is_storable
from reading.strict_json import NotJson, loads

# Models without schemas put their JSON into a fence in spite of all words; nothing else may stand around it.
FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*)\n[ \t]*```", re.DOTALL)
USAGE_LIMIT = 10**9

NO_ANSWER = gettext_noop("holds no answer: choices[0].message is not there")
NO_TEXT = gettext_noop("holds no text")
NO_TOOL_CALL = gettext_noop("holds no call of the tool “answer”")
CUT_OFF = gettext_noop("The model's answer was cut off after %(n)s tokens.")
DECLINED = gettext_noop("The model declined to answer: %(said)s")
TOO_LONG = gettext_noop("has %(n)s characters; %(limit)s are the most")


@dataclass(frozen=True, slots=True)
class Usage:
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Completion:
    """`parsed` is the JSON value where a schema was asked for; `model` is what the server calls itself, empty where it does not."""

    text: str
    parsed: Any | None
    model: str


def bad_answer(finding: Finding) -> ModelRefusal:
    return ModelRefusal(Why.BAD_ANSWER, finding)


def json_of(body: bytes) -> dict[str, Any]:
    """Errors: `ModelRefusal` where the body is no JSON object."""
    try:
        parsed = loads(body)
    except NotJson as bad:
        raise bad_answer(bad.finding.within(BODY)) from bad
    if not isinstance(parsed, dict):
        raise bad_answer(Finding(BODY, gettext_noop("is not an object")))
    return parsed


def usage_of(answer: Mapping[str, Any]) -> Usage | None:
    """The tokens that the server counted, reasoning among those of the answer; None where it does not say or says nonsense."""
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    # A server that does not count fills in zeros; a prompt of none there is not.
    if not (_is_count(tokens_in) and _is_count(tokens_out)) or tokens_in == 0:
        return None
    return Usage(tokens_in, tokens_out)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= USAGE_LIMIT


def completion_of(answer: Mapping[str, Any], prompt: Prompt, answers: str) -> Completion:
    """The first choice, read by what was asked for. Errors: `ModelRefusal` (bad_answer, refused_by_model)."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    if not isinstance(message, dict):
        raise bad_answer(Finding(BODY, NO_ANSWER))
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        raise ModelRefusal(Why.REFUSED, sentence(DECLINED, said=message["refusal"][:300]))
    if choice.get("finish_reason") == "length" and prompt.schema is not None:
        raise bad_answer(sentence(CUT_OFF, n=prompt.max_tokens))
    is_by_tool = prompt.schema is not None and answers == "tools"
    text = _storable(_arguments_in(message) if is_by_tool else message.get("content"))
    named = answer.get("model")
    model = named[:200] if isinstance(named, str) and is_storable(named) else ""
    parsed = None if prompt.schema is None else parsed_answer(text, prompt.schema)
    return Completion(text, parsed, model)


def _arguments_in(message: Mapping[str, Any]) -> Any:
    calls = message.get("tool_calls")
    functions = [one.get("function") for one in calls if isinstance(one, dict)] if isinstance(calls, list) else []
    for function in functions:
        if isinstance(function, dict) and function.get("name") == ANSWER:
            return function.get("arguments")
    raise bad_answer(Finding(BODY, NO_TOOL_CALL))


def _storable(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise bad_answer(Finding(BODY, NO_TEXT))
    if len(text) > ANSWER_LIMIT:
        raise bad_answer(Finding(BODY, TOO_LONG, {"n": len(text), "limit": ANSWER_LIMIT}))
    if not is_storable(text):
        raise bad_answer(Finding(BODY, UNSTORABLE))
    return text


def parsed_answer(text: str, schema: Mapping[str, Any]) -> Any:
    """The JSON value of an answer that is one and fits the schema. Errors: `ModelRefusal`, with the first misfit."""
    bare = text.strip()
    fenced = FENCE.fullmatch(bare)
    try:
        parsed = loads(fenced[1] if fenced else bare)
    except NotJson as bad:
        raise bad_answer(bad.finding.within(ANSWER)) from bad
    problems = Problems()
    note_misfits(parsed, schema, ANSWER, problems)
    if problems:
        raise bad_answer(problems.listed()[0])
    return parsed


def said_in_error(body: bytes) -> str:
    """What a server says of an error, shortened: OpenAI's `error.message`, FastAPI's `detail`, else the beginning of the body."""
    try:
        parsed = loads(body)
    except NotJson:
        return body[:300].decode("utf-8", "replace").replace("\x00", "")
    error = parsed.get("error", parsed.get("detail", parsed)) if isinstance(parsed, dict) else parsed
    said = error.get("message", error) if isinstance(error, dict) else error
    text = str(said)[:300]
    return text if is_storable(text) else repr(text)
