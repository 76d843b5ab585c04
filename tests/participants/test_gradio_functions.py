"""Which function of a Gradio app is its chat."""

import pytest

from participants.adapters.gradio_functions import function_of
from participants.failures import BotFailure
from tests.fakes.gradio_bot import COMPONENTS


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
        {"dependencies": [CHAT], "api_prefix": ".other.example"},
        {"dependencies": [CHAT], "api_prefix": {"a": 1}},
    ],
)
def test_a_configuration_of_another_shape_is_a_failure_of_the_bot(changed):
    with pytest.raises(BotFailure) as failed:
        function_of(config() | changed, "")
    assert failed.value.kind == "bad_shape"
