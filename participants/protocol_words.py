"""The protocols by name, with a line on each, for whoever chooses one."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# In the place of a protocol: the platform asks the URL which one it is, and stores nothing.
FIND_OUT = "auto"


@dataclass(frozen=True, slots=True)
class Words:
    """What people call a protocol, and what a system of it does, in one line."""

    name: str | Promise
    line: str | Promise


WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "huace/1": Words(_("Huace"), _("the platform's own: JSON with text, history and context in, text out, whole or streamed")),
        "openai": Words(_("OpenAI-compatible chat, streamed"), _("chat completions as server-sent events: vLLM, llama.cpp, most vendors")),
        "openai-plain": Words(_("OpenAI-compatible chat, in one piece"), _("the same without a stream")),
        "ollama": Words("Ollama", _("the chat API of an Ollama server (/api/chat)")),
        "rasa": Words("Rasa", _("the REST channel of a Rasa server (/webhooks/rest/webhook)")),
        "convlab": Words(_("ConvLab and DSTC9"), _("an agent whose whole state travels with every turn")),
        "dialport": Words(_("DialPort and DialCrowd"), _("sessions by /init, /next and /end")),
        "dify": Words("Dify", _("an app of Dify, by its chat-messages API")),
        "gradio": Words("Gradio", _("the chat function of a Gradio app, version 4 to 6")),
        "botframework": Words("Bot Framework", _("activities that are answered at once (expectReplies)")),
        "coze": Words(_("Coze"), _("a bot of Coze, by its chat API; needs the bot's id")),
        "mapping": Words(_("Your own JSON"), _("a home-made system: you describe what is sent and where the reply is")),
        "dial-out": Words(_("It connects to us"), _("a system behind a firewall that opens a WebSocket to the platform; no URL")),
    }
)  # fmt: skip
