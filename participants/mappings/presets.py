"""Mappings that are offered to start from, and those that are whole protocols (`participants.adapters.dify`, `coze`).

Each was written down from its vendor's public description, which its adapter's file names.
"""

import json
from collections.abc import Mapping as Table
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext_noop

Options = Table[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """`key` is what a form sends; `label` says what kind of server it is for."""

    key: str
    label: str
    options: Options


PLAIN: Options = MappingProxyType(
    {"request": '{"session": "{{dialogue}}", "text": "{{text}}"}', "reply": "text"},
)
OVER_SOCKET: Options = MappingProxyType({**PLAIN, "stream_kind": "websocket"})
CHAT: Options = MappingProxyType(
    {
        "request": '{\n  "model": "default",\n  "user": "{{dialogue}}",\n  "messages": "{{messages}}"\n}',
        "reply": "choices[0].message.content || ''",
        "error": "error.message || error",
    }
)
CHAT_STREAM: Options = MappingProxyType(
    {
        "request": (
            '{\n  "model": "default",\n  "user": "{{dialogue}}",\n  "messages": "{{messages}}",\n  "stream": true\n}'
        ),
        "stream_kind": "sse",
        "delta": "choices[0].delta.content",
        "done": "choices[0].finish_reason",
        "error": "error.message || error",
    }
)
CONVLAB: Options = MappingProxyType(
    {
        "request": '{"input": "{{text}}", "agent_state": "{{state || `{}`}}"}',
        "reply": "response",
        "state": "agent_state",
    }
)
OLLAMA: Options = MappingProxyType(
    {
        "request": '{"model": "llama3", "messages": "{{messages}}", "stream": true}',
        "stream_kind": "ndjson",
        "delta": "message.content",
        "done": "done",
        "error": "error",
    }
)


def dify_options(*, is_stream: bool) -> Options:
    """What is read is the same for both: an answer in one piece is told by `mode` and `metadata`, which parts have not."""
    mode = "streaming" if is_stream else "blocking"
    return MappingProxyType(
        {
            "request": (
                '{\n  "query": "{{text}}",\n  "user": "{{dialogue}}",\n  "conversation_id": "{{state || \'\'}}",\n'
                f'  "response_mode": "{mode}",\n'
                '  "inputs": {"context": "{{context_text}}", "language": "{{language}}"}\n}'
            ),
            "stream_kind": "sse",
            "delta": "(event == 'message' || event == 'agent_message') && answer",
            "reply": "(event == 'message_replace' || mode || metadata) && answer",
            "done": "event == 'message_end'",
            "state": "conversation_id",
            "error": "event == 'error' && message",
        }
    )


def coze_options(bot_id: str) -> Options:
    said = {"role": "user", "content": "{{text}}", "content_type": "text"}
    request = {
        "bot_id": bot_id,
        "user_id": "{{dialogue}}",
        "stream": True,
        "auto_save_history": True,
        "additional_messages": [said],
        "custom_variables": {"context": "{{context_text}}", "language": "{{language}}"},
    }
    return MappingProxyType(
        {
            "query": "conversation_id: {{state}}",
            "request": json.dumps(request, ensure_ascii=False, indent=2),
            "stream_kind": "sse",
            "delta": "event == 'conversation.message.delta' && type == 'answer' && content",
            "done": "event == 'conversation.chat.completed' || event == 'done'",
            "state": "conversation_id",
            "error": (
                "event == 'conversation.chat.failed' && last_error.msg || event == 'error' && msg || "
                "event == 'conversation.chat.requires_action' && 'it asks for tools' || code != `0` && msg"
            ),
        }
    )


PRESETS: tuple[Preset, ...] = (
    Preset("plain", gettext_noop("One text in, one text out"), PLAIN),
    Preset("websocket", gettext_noop("One text in, one text out, over a WebSocket"), OVER_SOCKET),
    Preset("chat", gettext_noop("Chat messages"), CHAT),
    Preset("chat-stream", gettext_noop("Chat messages, streamed"), CHAT_STREAM),
    Preset("convlab", "ConvLab, DSTC9", CONVLAB),
    Preset("ollama", "Ollama", OLLAMA),
    Preset("dify", "Dify", dify_options(is_stream=True)),
    Preset("coze", "Coze", coze_options("…")),
)
