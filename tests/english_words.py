"""Which English sentences stand on a Chinese page, apart from what is shown as it was received or belongs to programs."""

import re
from html.parser import HTMLParser

# Three words, the last two in small letters. Names, kinds and units are shorter.
SENTENCE = re.compile(r"[A-Za-z'’]+ [a-z'’]+ [a-z'’]+")
AS_RECEIVED = {"pre", "code", "kbd", "script", "style", "template", "textarea", "title"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "source", "use", "wbr"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_left_out = bool(self.open and self.open[-1][1]) or tag in AS_RECEIVED or dict(attrs).get("lang") == "en"
        if tag not in VOID:
            self.open.append((tag, is_left_out))

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in VOID and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.said.append(" ".join(data.split()))


def english_in(page: str) -> list[str]:
    reader = _Reader()
    reader.feed(page)
    return [text for text in reader.said if SENTENCE.search(text)]
