"""Which texts a database can hold. Pure; asked wherever text from outside comes in."""

from collections.abc import Mapping
from typing import Any


def is_storable(text: str) -> bool:
    """PostgreSQL refuses NUL, and half a surrogate pair has no UTF-8."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def unstorable_place(value: Any, place: str = "") -> str | None:
    """Where in a parsed value (texts, lists, tables; names of fields too) a text cannot be stored, or None."""
    if isinstance(value, str):
        return None if is_storable(value) else place
    if isinstance(value, Mapping):
        for name, one in value.items():
            if not is_storable(str(name)):
                return f"{place} (the name of a field)".strip()
            if (found := unstorable_place(one, f"{place}.{name}" if place else str(name))) is not None:
                return found
    elif isinstance(value, list | tuple):
        for index, one in enumerate(value):
            if (found := unstorable_place(one, f"{place}[{index}]")) is not None:
                return found
    return None
