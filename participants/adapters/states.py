"""What a bot wants to have back with the next turn, as text: how it is stored, and how long it may be."""

import json

from django.utils.translation import gettext_noop

from participants.adapters.calls import State, to_json
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from reading.findings import Finding

STATE_LIMIT_BYTES = 64 * 1024
PLACE = "state"
HALF = gettext_noop("holds half a character (a surrogate), which is not text")
TOO_LARGE = gettext_noop("holds %(bytes)s bytes as JSON, and at most %(limit)s are carried from turn to turn")


def written(state: State) -> str:
    """The state as compact JSON, which every database stores as it is: control characters are escaped.

    Errors: `BotFailure` (`bad_shape`) for one that is too large, or holds half a character.
    """
    try:
        content = to_json(state)
    except UnicodeEncodeError as half:
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(PLACE, HALF)) from half
    if len(content) > STATE_LIMIT_BYTES:
        values = {"bytes": len(content), "limit": STATE_LIMIT_BYTES}
        evidence = content[:EVIDENCE_LIMIT].decode("utf-8", "ignore")
        raise BotFailure(FailureKind.BAD_SHAPE, Finding(PLACE, TOO_LARGE, values), evidence=evidence)
    return content.decode()


def read_again(text: str) -> State:
    """The state that was written so. It was read strictly when it came, so here it need not be."""
    return json.loads(text)
