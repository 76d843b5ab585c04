"""One file per protocol: each turns a bot's way of speaking into `reply(call, line, on_delta)`.

native.py   huace/1          one JSON object in, one out
openai.py   openai           chat completions, streamed (SSE) or whole
rasa.py     rasa             REST channel: an array of messages is one turn
"""

from participants.adapters import native, openai, rasa
from participants.adapters.calls import Adapter, BotAddress, BotCall, Context, History, Reply, Utterance

ADAPTERS: dict[str, Adapter] = {
    "huace/1": native.reply,
    "openai": openai.reply_streamed,
    "openai-plain": openai.reply_whole,
    "rasa": rasa.reply,
}

PROTOCOLS = tuple(ADAPTERS)

__all__ = ["ADAPTERS", "PROTOCOLS", "Adapter", "BotAddress", "BotCall", "Context", "History", "Reply", "Utterance"]
