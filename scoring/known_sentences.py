"""Sentences of ours that are stored in English together with their values, and read back to be shown in the reader's language.

What a program or a server said stands in them as a value and stays as it was received.
"""

import re
from functools import cache

# Every text; a dict, as a set that has an order.
_KNOWN: dict[str, None] = {}
_VALUE = re.compile(r"%\((\w+)\)s")


def know(text: str) -> str:
    """The text, which is English with `%(name)s` for its values; from now on it is recognized."""
    _KNOWN[text] = None
    return text


def read_again(stored: str) -> tuple[str, dict[str, str]] | None:
    """The known text that `stored` was written with, and its values; None for what somebody else wrote."""
    for text in _in_order(tuple(_KNOWN)):
        values = _values_in(stored, text)
        if values is not None:
            return text, values
    return None


@cache
def _in_order(texts: tuple[str, ...]) -> list[str]:
    """The order decides where several texts fit. Those that begin with a value come first: they go around a sentence, whose
    own last value would swallow what follows it. Then the one with the most words of its own.
    """
    return sorted(texts, key=lambda one: (not one.startswith("%("), -len(_VALUE.sub("", one))))


def _values_in(stored: str, text: str) -> dict[str, str] | None:
    """What stands in the places of the values; the first takes as much as it can, then the second.

    Looked for from the end, so that each literal is looked for once: a pattern with two values takes quadratic time for an
    answer that repeats what stands between them.
    """
    (first, *others), names = _parts_of(text)
    if not names:
        return {} if stored == first else None
    if not stored.startswith(first) or not stored.endswith(others[-1]):
        return None
    values = dict[str, str]()
    end = len(stored) - len(others[-1])
    for name, literal in zip(reversed(names[1:]), reversed(others[:-1]), strict=True):
        at = stored.rfind(literal, len(first), max(end, 0))
        if at < 0:
            return None
        values[name] = stored[at + len(literal) : end]
        end = at
    if end < len(first):
        return None
    return {names[0]: stored[len(first) : end], **values}


@cache
def _parts_of(text: str) -> tuple[list[str], list[str]]:
    """The literals around the values, one more than there are values, and the names of the values."""
    parts = _VALUE.split(text)
    return [part.replace("%%", "%") for part in parts[::2]], parts[1::2]
