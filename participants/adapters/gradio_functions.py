"""Which function of a Gradio app is its chat, and what it takes, read from the app's configuration.

The chat function is the one that `options.api_name` names, else the only one that the app shows to programs, takes a text and gives
one. Inputs beside the text get the values that the page begins with, but those whose whole label says that they are for a context,
a system message or a language.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import HALF, list_of, object_of, text_of, to_json
from participants.failures import BotFailure, FailureKind
from reading.findings import BODY, Finding
from reading.kinds import is_whole

TEXT, MULTIMODAL, CHATBOT, STATE = "textbox", "multimodaltextbox", "chatbot", "state"
# What a text can be typed into, the usual first.
TYPED = (TEXT, MULTIMODAL)
# What a text comes out of: an app of blocks empties its textbox beside the chatbot, an interface for chats gives programs a plain text.
SPOKEN = (CHATBOT, TEXT, "json", "markdown", "text")
# What inputs for something beside the text are called.
CONTEXT_LABELS = frozenset({"context", "背景", "背景信息", "上下文"})
SYSTEM_LABELS = frozenset({"system", "system message", "system prompt", "系统提示", "系统提示词", "系统消息"})
LANGUAGE_LABELS = frozenset({"language", "lang", "语言"})
# Of what can be chosen, a choice that is spelled so.
SPELLED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "zh": frozenset({"zh", "zh-cn", "zh-hans", "chinese", "中文", "简体中文"}),
        "en": frozenset({"en", "en-us", "english", "英文", "英语"}),
    }
)
PAIR = 2
CHOSEN = frozenset({"dropdown", "radio"})
PAIRS, MESSAGES, PARTS = "pairs", "messages", "parts"
SEVERAL = gettext_noop("has %(n)s functions that could be the chat; name one in options.api_name: %(names)s")


@dataclass(frozen=True, slots=True)
class Function:
    """Where the chat function is: `inputs` are the values to send, at `typed` the text, at `said` the history; `spoken` is the output.

    At `told` goes the context in words, after the app's own words of its `system` message; at `language` what the app calls each language.
    """

    prefix: str
    number: int
    inputs: list[Any]
    typed: int
    is_multimodal: bool
    said: int | None
    said_as: str
    spoken: int
    told: int | None = None
    system: str = ""
    language: int | None = None
    languages: Mapping[str, Any] = field(default_factory=dict)


def function_of(config: Any, wanted: str) -> Function:
    """Errors: `BotFailure` where there is no such function, or more than one."""
    app = object_of(config, BODY)
    listed = list_of(app.get("components"), "components")
    components = {one["id"]: one for one in listed if isinstance(one, dict) and is_whole(one.get("id"))}
    found = [one for one in _dependencies(app) if _is_meant(one, wanted)]
    prefix = _prefix_of(app)
    chats = [function for one in found if (function := _chat_of(one, components, prefix))]
    if len(chats) != 1:
        names = ", ".join(str(one.get("api_name")) for one in found)
        raise BotFailure(FailureKind.BAD_SHAPE, Finding("dependencies", SEVERAL, {"n": len(chats), "names": names}))
    _check_sendable([*chats[0].inputs, chats[0].languages])
    return chats[0]


def _prefix_of(app: dict[str, Any]) -> str:
    """What follows the app's address: anything but a path could lead to another host."""
    prefix = text_of(app.get("api_prefix") or "", "api_prefix")
    if prefix and not prefix.startswith("/"):
        raise BotFailure(FailureKind.BAD_SHAPE, Finding("api_prefix", gettext_noop("is not a path")))
    return prefix


def _check_sendable(inputs: list[Any]) -> None:
    """What the page begins with goes back to it as it came."""
    try:
        to_json(inputs)
    except UnicodeEncodeError as half:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding("components", HALF)) from half


def _dependencies(app: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for number, one in enumerate(list_of(app.get("dependencies"), "dependencies")):
        if isinstance(one, dict):
            # Before 4.36 a function was known by its place.
            yield {"id": number, **one}


def _is_meant(dependency: dict[str, Any], wanted: str) -> bool:
    name = dependency.get("api_name")
    if wanted:
        return bool(name == wanted.strip("/"))
    # Version 6 says who sees a function, the others whether it is shown.
    visible = dependency.get("api_visibility", "public") == "public" and dependency.get("show_api") is not False
    return bool(name) and visible


def _chat_of(dependency: dict[str, Any], components: dict[Any, dict[str, Any]], prefix: str) -> Function | None:
    inputs = _named("inputs", dependency, components)
    outputs = [one.get("type") for one in _named("outputs", dependency, components)]
    kinds = [one.get("type") for one in inputs]
    typed = _typed(inputs)
    spoken = next((outputs.index(kind) for kind in SPOKEN if kind in outputs), None)
    if typed is None or spoken is None or not is_whole(dependency["id"]):
        return None
    said = kinds.index(CHATBOT) if CHATBOT in kinds else None
    told, system = _told(inputs, typed)
    language, languages = _language(inputs, typed)
    return Function(
        prefix=prefix,
        number=dependency["id"],
        inputs=[None if one.get("type") == STATE else _props_of(one).get("value") for one in inputs],
        typed=typed,
        is_multimodal=kinds[typed] == MULTIMODAL,
        said=said,
        said_as=PAIRS if said is None else _said_as(_props_of(inputs[said])),
        spoken=spoken,
        told=told,
        system=system,
        language=language,
        languages=languages,
    )


def _typed(inputs: list[dict[str, Any]]) -> int | None:
    """The first input of the usual kind that nothing else is typed into; the first of all where every one is called so."""
    places = [place for kind in TYPED for place, one in enumerate(inputs) if one.get("type") == kind]
    others = CONTEXT_LABELS | SYSTEM_LABELS | LANGUAGE_LABELS
    return next((place for place in places if _label_of(inputs[place]) not in others), next(iter(places), None))


def _told(inputs: list[dict[str, Any]], typed: int) -> tuple[int | None, str]:
    """Where the context goes, and the app's own words before it: an input for a context, else the one for a system message."""
    for labels in (CONTEXT_LABELS, SYSTEM_LABELS):
        for place, one in enumerate(inputs):
            if place != typed and one.get("type") == TEXT and _label_of(one) in labels:
                own = _props_of(one).get("value") if labels is SYSTEM_LABELS else ""
                return place, own if isinstance(own, str) else ""
    return None, ""


def _language(inputs: list[dict[str, Any]], typed: int) -> tuple[int | None, dict[str, Any]]:
    """Where the language goes, and what each is called there; one that cannot be chosen is left out."""
    for place, one in enumerate(inputs):
        if place == typed or _label_of(one) not in LANGUAGE_LABELS:
            continue
        if one.get("type") == TEXT:
            return place, {language: language for language in SPELLED}
        if one.get("type") in CHOSEN:
            return place, _chosen(_props_of(one).get("choices"))
    return None, {}


def _chosen(choices: Any) -> dict[str, Any]:
    """The first choice that is spelled like each language; a choice is a pair of what is shown and what is sent."""
    if not isinstance(choices, list):
        return {}
    pairs = [one if isinstance(one, list) and len(one) == PAIR else [one, one] for one in choices]
    found = {
        language: [sent for shown, sent in pairs if _is_spelled(shown, spelled) or _is_spelled(sent, spelled)]
        for language, spelled in SPELLED.items()
    }
    return {language: sent[0] for language, sent in found.items() if sent}


def _is_spelled(choice: Any, spelled: frozenset[str]) -> bool:
    return isinstance(choice, str) and choice.strip().casefold() in spelled


def _label_of(component: dict[str, Any]) -> str:
    label = _props_of(component).get("label")
    return label.strip(" :：").replace("_", " ").casefold() if isinstance(label, str) else ""


def _named(part: str, dependency: dict[str, Any], components: dict[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    """The components that a function takes or gives; nothing of one that is not listed."""
    numbers = list_of(dependency.get(part) or [], f"dependencies.{part}")
    return [components.get(one, {}) if is_whole(one) else {} for one in numbers]


def _props_of(component: dict[str, Any]) -> dict[str, Any]:
    return object_of(component.get("props") or {}, "components.props")


def _said_as(props: dict[str, Any]) -> str:
    """How a chatbot takes what was said: version 6 has parts alone and so no type, the others name theirs."""
    return PARTS if "type" not in props else MESSAGES if props["type"] == MESSAGES else PAIRS


def known_function(state: Any) -> Function | None:
    try:
        return Function(**state["function"])
    except (TypeError, KeyError):
        return None
