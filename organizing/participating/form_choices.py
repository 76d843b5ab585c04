"""What the form of an address lets choose: protocols by name, presets, limits."""

from typing import Any

from participants.adapters import ADAPTERS, FIND_OUT
from participants.limits import NAME_LIMIT, PARALLEL, REASON_LIMIT
from participants.mappings import PRESETS


def choices() -> dict[str, Any]:
    return {
        "protocols": list(ADAPTERS.items()),
        "find_out": FIND_OUT,
        "presets": PRESETS,
        "name_limit": NAME_LIMIT,
        "reason_limit": REASON_LIMIT,
        "parallel": PARALLEL,
    }
