"""Which Chinese stands on an English page, and which may: what somebody wrote and gave no English for."""

import json
import re
import sqlite3
from html.parser import HTMLParser
from pathlib import Path

CHINESE = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
ESCAPED = re.compile(r"\\u([0-9a-f]{4})")
SEEN = {"alt", "aria-label", "content", "label", "placeholder", "title", "value"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "source", "use", "wbr"}


class _Reader(HTMLParser):
    """Collects what is read on a page, but for what the page itself marks as Chinese (`lang`)."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_chinese = bool(self.open and self.open[-1][1])
        if given.get("lang"):
            is_chinese = (given["lang"] or "").lower().startswith("zh")
        if not is_chinese:
            self.said += [value for name, value in attrs if value and (name in SEEN or name.startswith("data-"))]
        if tag not in VOID:
            self.open.append((tag, is_chinese))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in VOID and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.said.append(data)


def chinese_on(page: str) -> list[str]:
    """The runs of Chinese characters of an HTML page, those of the strings that scripts are given, too."""
    reader = _Reader()
    reader.feed(page)
    plain = ESCAPED.sub(lambda match: chr(int(match[1], 16)), "\n".join(reader.said))
    return CHINESE.findall(plain)


def stored_without_english(database: Path) -> str:
    """All texts of a database whose English, where it has one, is what English pages show."""
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    texts: list[str] = []
    for table in tables:
        for row in connection.execute(f'SELECT * FROM "{table}"'):
            texts += _of(dict(row))
    connection.close()
    return "\n".join(texts)


def is_made_of(said: str, allowed: str) -> bool:
    """Whether words were put together from pieces of two characters and more, as facts that stand side by side are."""
    ends = {0}
    for end in range(2, len(said) + 1):
        if any(said[start:end] in allowed for start in ends if start <= end - 2) or said[:end] in allowed:
            ends.add(end)
    return len(said) in ends or said in allowed


def _of(stored: object) -> list[str]:
    """The texts in a row or a value of JSON; of a pair of Chinese and English none but the English."""
    if isinstance(stored, str):
        if stored[:1] in {"[", "{"}:
            try:
                return _of(json.loads(stored))
            except ValueError:
                pass
        return [stored]
    if isinstance(stored, dict):
        return [text for name, value in stored.items() if not stored.get(_english(name)) for text in _of(value)]
    return [text for value in stored for text in _of(value)] if isinstance(stored, list) else []


def _english(name: str) -> str:
    """What the English twin of a field would be called."""
    if name == "zh":
        return "en"
    return name.removesuffix("_zh") + "_en" if name.endswith("_zh") else ""
