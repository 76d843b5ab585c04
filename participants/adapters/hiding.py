"""Keeps a bot's secret out of what is shown and stored: who reads that need not be who knows the secret.

The platform's own part is easy: what is shown is built with `HIDDEN_SECRET` in the secret's place. But some servers repeat
what they were sent, in answers, errors and the state that goes back to them.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote_plus

from participants.adapters.calls import BotCall, Reply
from participants.adapters.contract import Adapter
from participants.adapters.rebuilding import HIDDEN_SECRET, Request, request_of
from participants.failures import BotFailure
from reading.findings import Finding

# A secret of a few letters stands in many words by chance.
MASKED_FROM = 4


def without_secret(text: str, secret: str) -> str:
    """The text with the secret hidden, also as JSON and addresses write it, and where the text was cut within it."""
    if len(secret) < MASKED_FROM:
        return text
    for written in {json.dumps(secret)[1:-1], quote_plus(secret), secret}:
        text = text.replace(written, HIDDEN_SECRET)
    cut = next((n for n in range(len(secret) - 1, MASKED_FROM - 1, -1) if text.endswith(secret[:n])), 0)
    return text[: len(text) - cut] + HIDDEN_SECRET if cut else text


def value_without(value: Any, secret: str) -> Any:
    """The JSON value with the secret hidden in its texts and names; numbers stay, so that it can be written as JSON again."""
    if isinstance(value, dict):
        return {without_secret(name, secret): value_without(one, secret) for name, one in value.items()}
    if isinstance(value, list):
        return [value_without(one, secret) for one in value]
    return without_secret(value, secret) if isinstance(value, str) else value


def reply_without(reply: Reply, secret: str) -> Reply:
    return replace(reply, texts=tuple(without_secret(text, secret) for text in reply.texts))


def failure_without(failure: BotFailure, secret: str) -> BotFailure:
    """The same failure, changed."""
    failure.detail, failure.evidence = finding_without(failure.detail, secret), without_secret(failure.evidence, secret)
    return failure


def finding_without(finding: Finding, secret: str) -> Finding:
    return finding.with_texts(partial(without_secret, secret=secret))


def shown_request(call: BotCall, adapters: Mapping[str, Adapter]) -> Request | None:
    """The first request of the call as it may be shown. None and errors as of `request_of`."""
    secret = call.bot.secret
    request = request_of(replace(call, bot=replace(call.bot, secret=HIDDEN_SECRET if secret else "")), adapters)
    if request is None:
        return None
    content = without_secret(request.content.decode(), secret).encode()
    headers = {name: without_secret(value, secret) for name, value in request.headers.items()}
    return replace(request, url=without_secret(request.url, secret), content=content, headers=headers)
