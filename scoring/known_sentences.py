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
    """The known text that `stored` was written with, and its values; None for what somebody else wrote.

    The order decides where several texts fit. Those that begin with a value come first: they go around a sentence, whose own
    last value would swallow what follows it. Then the one with the most words of its own.
    """
    for text in sorted(_KNOWN, key=lambda one: (not one.startswith("%("), -len(_VALUE.sub("", one)))):
        if found := _pattern_of(text).fullmatch(stored):
            return text, found.groupdict()
    return None


@cache
def _pattern_of(text: str) -> re.Pattern[str]:
    parts = _VALUE.split(text)
    # Literal texts and names of values take turns.
    written = (
        f"(?P<{part}>.*)" if index % 2 else re.escape(part.replace("%%", "%")) for index, part in enumerate(parts)
    )
    return re.compile("".join(written), re.DOTALL)
