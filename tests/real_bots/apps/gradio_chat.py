"""A `ChatInterface` as its makers' first page has it: a generator that gives the text so far. Arguments: port, stream or whole."""

import sys

import gradio as gr


def streamed(message, history):
    text = f"{message}，第 {n_asked(history)} 句"
    for end in range(1, len(text) + 1):
        yield text[:end]


def whole(message, history):
    return f"{message}，第 {n_asked(history)} 句"


def n_asked(history):
    """Pairs or messages, as the version has it."""
    roles = [one["role"] for one in history if isinstance(one, dict)]
    return 1 + (roles.count("user") if roles else len(history))


answer = streamed if sys.argv[2] == "stream" else whole
gr.ChatInterface(answer).queue().launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
