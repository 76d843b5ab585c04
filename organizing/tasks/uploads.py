"""The files of a task that came with a form, or that were shown before and come back in it."""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping

from django.http import HttpRequest

from organizing.tasks.asked import FILES

N_SHOWN, LENGTH_SHOWN = 5, 300


def uploads_of(request: HttpRequest) -> dict[str, bytes]:
    """By name, without those that are empty or cannot be read."""
    found = {}
    for name in FILES:
        file = request.FILES.get(name)
        content = file.read() if file is not None else _shown_before(request.POST, name)
        if content:
            found[name] = content
    return found


def _shown_before(sent: Mapping[str, str], name: str) -> bytes:
    try:
        return b64decode(sent.get(f"content_{name}", ""), validate=True)
    except (binascii.Error, ValueError):
        return b""


def first_items(content: bytes) -> list[str]:
    """The first items of checked gold as they stand in its file, each cut to a line."""
    text = content.decode("utf-8-sig").strip()
    if text.startswith("["):
        items = json.loads(text)[:N_SHOWN]
        rows = [json.dumps(item, ensure_ascii=False) for item in items]
    else:
        rows = [line for line in text.splitlines() if line.strip()][:N_SHOWN]
    return [row if len(row) <= LENGTH_SHOWN else f"{row[:LENGTH_SHOWN]}…" for row in rows]
