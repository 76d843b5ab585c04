"""What the form of an address lets choose: protocols by name, presets, limits."""

from typing import Any

from participants.adapters import PROTOCOLS
from participants.bot_form import THINK
from participants.limits import NAME_LIMIT, PARALLEL, REASON_LIMIT
from participants.mappings import PRESETS
from participants.protocol_words import FIND_OUT, WORDS


def choices() -> dict[str, Any]:
    return {
        "protocols": [(key, WORDS[key]) for key in PROTOCOLS],
        "find_out": FIND_OUT,
        "thinks": THINK,
        "presets": PRESETS,
        "name_limit": NAME_LIMIT,
        "reason_limit": REASON_LIMIT,
        "parallel": PARALLEL,
    }
