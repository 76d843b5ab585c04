"""Which function of a Gradio app is its chat."""

import json
from dataclasses import asdict

import pytest

from participants.adapters import Context
from participants.adapters.gradio import request_of
from participants.adapters.gradio_functions import function_of, known_function
from participants.failures import BotFailure
from tests.fakes.gradio_bot import COMPONENTS
from tests.participants.talking import call_of


def config(*dependencies):
    return {"version": "5.0.0", "components": COMPONENTS, "dependencies": list(dependencies)}


def test_the_chat_function_is_the_only_one_or_the_one_that_is_named():
    chat = {"id": 3, "api_name": "chat", "inputs": [8], "outputs": [12]}
    other = {"id": 4, "api_name": "other", "inputs": [8], "outputs": [12]}
    assert function_of(config(chat), "").number == 3
    assert function_of(config(chat, other), "/other").number == 4
    assert function_of(config(chat, other | {"show_api": False}), "").number == 3
    assert function_of(config(chat, other | {"api_visibility": "private"}), "").number == 3
    assert function_of(config(chat, other | {"inputs": [20]}), "").number == 3
    for dependencies, wanted in (((chat, other), ""), ((), ""), ((chat,), "nobody")):
        with pytest.raises(BotFailure, match=r"options\.api_name"):
            function_of(config(*dependencies), wanted)


def with_inputs(*inputs):
    """A chat whose inputs are those, each a type, a label and more of what the page knows of it."""
    listed = [
        {"id": 100 + n, "type": kind, "props": {"label": label, **more}} for n, (kind, label, more) in enumerate(inputs)
    ]
    chat = {"id": 3, "api_name": "chat", "inputs": [one["id"] for one in listed], "outputs": [12]}
    return function_of({"components": [*COMPONENTS, *listed], "dependencies": [chat]}, "")


def sent(function, **said):
    joined = json.loads(request_of(call_of(None, "你好", url="http://a.example/", protocol="gradio", **said), function))
    return joined["data"]


KNOWS = Context({"kb": "京沪线"}, "资料：{context}")
TEXT, SYSTEM = ("textbox", "", {}), ("textbox", "System_Message:", {"value": "You are kind."})
CHOICES = {"value": "English", "choices": [["Deutsch", "German"], ["中文", "Chinese"], ["English", "English"]]}


def test_a_system_message_keeps_the_apps_own_words_and_the_context_follows():
    function = with_inputs(TEXT, SYSTEM)
    assert sent(function, context=KNOWS) == ["你好", 'You are kind.\n\n资料：{"kb":"京沪线"}']
    assert sent(function) == ["你好", "You are kind."]
    assert sent(function, context=Context(KNOWS.given, "")) == ["你好", "You are kind."]
    assert known_function({"function": json.loads(json.dumps(asdict(function)))}) == function


def test_an_input_for_a_context_gets_it_alone_and_before_a_system_message():
    function = with_inputs(("textbox", "Context", {"value": "for example"}), TEXT, SYSTEM)
    assert sent(function, context=KNOWS) == ['资料：{"kb":"京沪线"}', "你好", "You are kind."]
    assert sent(function) == ["for example", "你好", "You are kind."]


@pytest.mark.parametrize(
    ("kind", "more", "told"),
    [
        ("textbox", {"value": ""}, {"zh": "zh", "en": "en"}),
        ("dropdown", CHOICES, {"zh": "Chinese", "en": "English"}),
        ("radio", {"value": "zh", "choices": ["zh", "ja"]}, {"zh": "zh", "en": "zh"}),
        ("dropdown", {"value": "x", "choices": None}, {"zh": "x", "en": "x"}),
        ("checkbox", {"value": True}, {"zh": True, "en": True}),
    ],
)
def test_an_input_for_the_language_gets_it_where_it_can_be_chosen(kind, more, told):
    function = with_inputs(TEXT, (kind, "语言", more))
    assert {language: sent(function, language=language)[1] for language in told} == told


def test_any_other_label_and_a_text_that_is_the_only_one_stay_what_they_are():
    others = [("textbox", label, {"value": "x"}) for label in ("Context length", "My system", "Languages", None, 7)]
    assert sent(with_inputs(TEXT, *others), context=KNOWS, language="en") == ["你好", *"xxxxx"]
    assert sent(with_inputs(SYSTEM), context=KNOWS) == ["你好"]


CHAT = {"id": 3, "api_name": "chat", "inputs": [8], "outputs": [12]}


@pytest.mark.parametrize(
    "changed",
    [
        {"dependencies": [CHAT | {"inputs": [[1]]}]},
        {"dependencies": [CHAT | {"inputs": 8}]},
        {"dependencies": [CHAT | {"outputs": [{}]}]},
        {"dependencies": [CHAT], "components": [*COMPONENTS, {"id": 8, "type": "textbox", "props": [1]}]},
        {
            "dependencies": [CHAT],
            "components": [*COMPONENTS, {"id": 8, "type": "textbox", "props": {"value": "\ud800"}}],
        },
        {
            "dependencies": [CHAT | {"inputs": [8, 9]}],
            "components": [
                *COMPONENTS,
                {"id": 9, "type": "radio", "props": {"label": "lang", "choices": [["zh", "\ud800"]]}},
            ],
        },
        {"dependencies": [CHAT], "api_prefix": ".other.example"},
        {"dependencies": [CHAT], "api_prefix": {"a": 1}},
    ],
)
def test_a_configuration_of_another_shape_is_a_failure_of_the_bot(changed):
    with pytest.raises(BotFailure) as failed:
        function_of(config() | changed, "")
    assert failed.value.kind == "bad_shape"
