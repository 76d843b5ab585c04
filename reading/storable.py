"""Which texts a database can hold. Pure; asked wherever text from outside comes in."""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from reading.findings import Finding

# PostgreSQL refuses NUL, and half a surrogate pair has no UTF-8.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
NAME_SHOWN = 60


def is_storable(text: str) -> bool:
    # Every text of every frame, answer and file comes through here; the pattern takes twice the time, of ASCII 40 times.
    if "\x00" in text:
        return False
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
    return True


def as_logged(text: str, limit: int) -> str:
    """The beginning of a text for a log, with the characters that cannot be stored written out."""
    return _UNSTORABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text[:limit])


def finding_as_logged(finding: Finding, limit: int) -> Finding:
    """The finding with the beginning of each text that came from elsewhere, as a log holds it."""
    return finding.with_texts(partial(as_logged, limit=limit))


UNSTORABLE = gettext_noop("holds a NUL character or half a surrogate pair, which cannot be stored")


def unstorable_in(value: Any) -> Finding | None:
    """The first text in a parsed value that cannot be stored."""
    place = unstorable_place(value)
    return None if place is None else Finding(place, UNSTORABLE)


def unstorable_place(value: Any) -> str | None:
    """Where in a parsed value (texts, lists, tables; names of fields too) a text cannot be stored, or None."""
    steps = _steps_to(value)
    return None if steps is None else "".join(reversed(steps)).removeprefix(".")


def _steps_to(value: Any) -> list[str] | None:
    """The steps to such a text, last one first; named on the way back, since a name for every value is quadratic."""
    if isinstance(value, str):
        return None if is_storable(value) else []
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, list | tuple):
        inner = enumerate(value)
    for name, one in inner:
        if isinstance(name, str) and not is_storable(name):
            return [" (the name of a field)"]
        if (steps := _steps_to(one)) is not None:
            steps.append(f".{name[:NAME_SHOWN]}" if isinstance(name, str) else f"[{name}]")
            return steps
    return None
