"""How long and how marked up a system's answers are: what pairs are controlled for. Pure.

Writer and verification share it: it says what the columns `characters` and `marks` of pairs.jsonl mean.
"""

from collections.abc import Iterable


def style_of(texts: Iterable[str]) -> tuple[int, int]:
    """Characters and marks of what a system said: lines that begin as headings or items of a list, and `**`."""
    n_characters = n_marks = 0
    for text in texts:
        n_characters += len(text)
        n_marks += text.count("**") + sum(_is_marked(line.lstrip(" \t")) for line in text.split("\n"))
    return n_characters, n_marks


def _is_marked(line: str) -> bool:
    if line.startswith(("- ", "* ", "+ ", "• ", "·")):
        return True
    if line.startswith("#"):
        return line.lstrip("#").startswith(" ")
    number = line[:4].rstrip(".)、）．")
    return number.isdecimal() and line[len(number) : len(number) + 1] in (".", ")", "、", "）", "．")
