"""A `ChatInterface` with inputs beside the text, which it repeats. Arguments: port."""

import sys

import gradio as gr


def answer(message, history, system_message, language, temperature):
    return f"{message} | {system_message} | {language} | {temperature}"


inputs = [
    gr.Textbox("You are kind.", label="System message"),
    gr.Dropdown([("中文", "Chinese"), ("English", "English")], value="English", label="Language"),
    gr.Slider(0, 1, 0.5, label="Temperature"),
]
gr.ChatInterface(answer, additional_inputs=inputs).queue().launch(
    server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True
)
