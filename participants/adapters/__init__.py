"""One file per protocol, each an `Adapter` (contract.py).

native.py    huace/1   one JSON object in, one out, or server-sent events
openai.py    openai    chat completions, streamed (SSE) or whole
ollama.py    ollama    JSON lines, or one JSON object
rasa.py      rasa      REST channel: an array of messages is one turn
convlab.py   convlab   the agent's whole state travels with every turn
dialport.py  dialport  sessions that begin, go on and end
dify.py      dify      Dify's chat-messages, as a mapping
gradio.py    gradio    a chat function of a Gradio app, through its queue; gradio_functions.py finds that function
botframework.py  botframework  activities, answered at once
coze.py      coze      Coze's chat, as a mapping
mapping.py   mapping   JSON as the bot's team describes it
dial_out.py  dial-out  the bot has connected to the platform: a turn is a frame on its socket
"""

from participants.adapters import (
    botframework,
    convlab,
    coze,
    dial_out,
    dialport,
    dify,
    gradio,
    mapping,
    native,
    ollama,
    openai,
    rasa,
)
from participants.adapters.calls import BotAddress, BotCall, Context, Farewell, History, Reply, State, Utterance
from participants.adapters.contract import Adapter

ADAPTERS: dict[str, Adapter] = {
    "huace/1": native.ADAPTER,
    "openai": openai.STREAMED,
    "openai-plain": openai.WHOLE,
    "ollama": ollama.ADAPTER,
    "rasa": rasa.ADAPTER,
    "convlab": convlab.ADAPTER,
    "dialport": dialport.ADAPTER,
    "dify": dify.ADAPTER,
    "gradio": gradio.ADAPTER,
    "botframework": botframework.ADAPTER,
    "coze": coze.ADAPTER,
    "mapping": mapping.ADAPTER,
    "dial-out": dial_out.ADAPTER,
}

PROTOCOLS = tuple(ADAPTERS)
# In place of a protocol: the platform asks the URL which one it is, and stores nothing.
FIND_OUT = "auto"

__all__ = [
    "ADAPTERS",
    "FIND_OUT",
    "PROTOCOLS",
    "Adapter",
    "BotAddress",
    "BotCall",
    "Context",
    "Farewell",
    "History",
    "Reply",
    "State",
    "Utterance",
]
