"""An app of blocks with a chatbot and a textbox, whose history is in the page. Arguments: port."""

import sys

import gradio as gr

VERSION = int(gr.__version__.split(".")[0])


def respond(message, history):
    history = list(history or [])
    text = f"{message}，第 {1 + len(history) // (1 if VERSION == 4 else 2)} 句"
    if VERSION == 4:
        history.append([message, ""])
    else:
        history += [{"role": "user", "content": message}, {"role": "assistant", "content": ""}]
    for end in range(1, len(text) + 1):
        if VERSION == 4:
            history[-1][1] = text[:end]
        else:
            history[-1]["content"] = text[:end]
        yield "", history


with gr.Blocks() as app:
    shown = gr.Chatbot(type="messages") if VERSION == 5 else gr.Chatbot()
    box = gr.Textbox()
    box.submit(respond, [box, shown], [box, shown])
app.queue().launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), quiet=True)
