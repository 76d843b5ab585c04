"""What stands in place of names and texts that went. Pure.

A text leaves a digest that is keyed with the installation's secret: with the key and a text one can show that it is the one
that went; without the key no guess can be checked.
"""

import hmac
import json
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any

# Words that are shorter occur by chance; they go where they were marked, and nowhere else.
SHORTEST_SEARCHED = 4
# A name of one character would match everywhere in a Chinese text.
SHORTEST_NAME = 2
# What these keys hold are words of the platform.
_OURS = frozenset({"role", "roles", "kind", "act", "state", "status", "format", "reason", "key", "fault"})

Change = Callable[[str], str]


def stand_in(text: str, *, key: str) -> str:
    """`[erased 1f3a9c2e40b7]`; an empty text stays empty, and what stands in for a text stands."""
    if not text or is_stand_in(text):
        return text
    digest = hmac.digest(f"erased text {key}".encode(), text.encode("utf-8", "surrogatepass"), sha256)
    return f"[erased {digest.hex()[:12]}]"


def is_stand_in(text: str) -> bool:
    return re.fullmatch(r"\[erased [0-9a-f]{12}\]", text) is not None


# The start of a word, also behind an escape of JSON, which ends in a letter or digit.
_BEFORE = r"(?:(?<![0-9A-Za-z_])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4}))"


def without_names(names: Iterable[str], instead: str) -> Change:
    """Puts `instead` in place of each of the names, as whole words and in any case."""
    forms = {(form, name) for name in names if len(name) >= SHORTEST_NAME for form in forms_of(name)}
    if not forms:
        return lambda text: text
    known = sorted(forms, key=lambda one: len(one[0]), reverse=True)
    found = re.compile("|".join(_as_word(form, name) for form, name in known), re.IGNORECASE)
    return lambda text: found.sub(lambda _: instead, text)


def _as_word(form: str, name: str) -> str:
    """Scripts that put no space between words have no edge to look for; the edges are those of the name, not of its form."""
    before = _BEFORE if _is_latin(name[0]) else ""
    after = r"(?![0-9A-Za-z_])" if _is_latin(name[-1]) else ""
    return f"{before}{re.escape(form)}{after}"


def _is_latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def without_words(texts: Iterable[str], *, key: str) -> Change:
    """Puts a stand-in where one of the texts occurs; those too short to search for are left alone."""
    known = sorted({text for text in texts if len(text) >= SHORTEST_SEARCHED}, key=len, reverse=True)

    def change(text: str) -> str:
        # A pattern of everything that was said would take a hundred times its memory.
        there = [word for word in known if word in text]
        return re.sub("|".join(map(re.escape, there)), lambda word: stand_in(word[0], key=key), text) if there else text

    return change


def forms_of(text: str) -> set[str]:
    """The text as it is and as encoders of JSON write it, in small or capital hex: answers of bots are kept as they came."""
    escaped = json.dumps(text)[1:-1]
    capital = re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), escaped)
    forms = {text, escaped, capital, json.dumps(text, ensure_ascii=False)[1:-1]}
    return forms | {form.replace("/", r"\/") for form in forms}


def in_turn(*changes: Change) -> Change:
    def change(text: str) -> str:
        for one in changes:
            text = one(text)
        return text

    return change


def in_json(value: Any, change: Change, *, but: Sequence[str] = ()) -> Any:
    """The value with every text in it changed; keys, and what keys of the platform hold, stay."""
    match value:
        case str():
            return change(value)
        case list():
            return [in_json(one, change, but=but) for one in value]
        case dict():
            return {
                key: one if key in _OURS or key in but else in_json(one, change, but=but) for key, one in value.items()
            }
    return value


def texts_in(value: Any) -> list[str]:
    """Every text in the value, keys left out."""
    match value:
        case str():
            return [value]
        case list():
            return [text for one in value for text in texts_in(one)]
        case dict():
            return [text for one in value.values() for text in texts_in(one)]
    return []
