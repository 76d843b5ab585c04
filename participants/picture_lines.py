"""The line that stands in place of a picture wherever the texts of its turn are shown, stored, exported and hashed. Pure.

`[image <SHA-256>.<kind> <width>x<height>]`, or `[image - <why>]` for one that could not be fetched. Readers never learn the bot's address.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Of a dialogue together: a system that keeps sending would fill the disk.
PER_DIALOGUE = 40
# One line more says that there were too many.
PER_REPLY = 4
LINES_PER_REPLY = PER_REPLY + 1
KINDS = ("png", "jpeg", "webp", "gif")
NOT_A_PICTURE, TOO_LARGE, TOO_MANY, NOT_STORED = "not_a_picture", "too_large", "too_many", "not_stored"
# No other word makes such a line: a bot could say a name in it. Those of `FailureKind` first, whose module needs settings.
WHYS = (
    "dns", "connect", "tls", "timeout_first_byte", "timeout_total", "http_4xx", "http_5xx", "bad_json", "bad_shape",
    "empty", "too_long", "other_dialogue", "blocked_address", "cancelled", "interrupted",
    NOT_A_PICTURE, TOO_LARGE, TOO_MANY, NOT_STORED,
)  # fmt: skip
LINE = re.compile(
    rf"\[image (?:([0-9a-f]{{64}}\.(?:{'|'.join(KINDS)})) ([1-9]\d{{0,3}})x([1-9]\d{{0,3}})|- ({'|'.join(WHYS)}))\]"
)


@dataclass(frozen=True, slots=True)
class Picture:
    """`name` is the SHA-256 of its content and its kind; sides are in pixels. Without a name it could not be fetched; `why` says what failed."""

    name: str = ""
    width: int = 0
    height: int = 0
    why: str = ""

    @property
    def line(self) -> str:
        return f"[image {self.name} {self.width}x{self.height}]" if self.name else f"[image - {self.why}]"


def n_pictures(texts: Iterable[str]) -> int:
    """How many lines of the texts stand for a stored picture."""
    said = (picture_said(line) for text in texts for line in text.split("\n"))
    return sum(picture is not None and bool(picture.name) for picture in said)


def picture_said(text: str) -> Picture | None:
    """The picture that the text stands for; None for words."""
    if (found := LINE.fullmatch(text)) is None:
        return None
    name, width, height, why = found.groups()
    return Picture(name, int(width), int(height)) if name else Picture(why=why)
