"""A picture of figures as marks: lines, boxes and words, each with its place and its kind. Pure geometry.

Pages draw the marks in the colours of their theme (`static/look/plots.css`), files in black and greys (`INKS`, `look/plot_files.py`).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal
from unicodedata import east_asian_width

# As many units as a column of a paper is wide (3.3 in): a letter of `SIZE` units then is 7 pt high.
WIDTH = 400
COLUMN_IN = 3.3
SIZE = 12
LINE_HEIGHT = 14
MARGIN = 8
SANS = "Helvetica, Arial, 'Noto Sans CJK SC', sans-serif"

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    kind: str
    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True, slots=True)
class Box:
    kind: str
    x: float
    y: float
    width: float
    height: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    kind: str
    x: float
    y: float
    text: str
    anchor: Anchor = "start"


Mark = Line | Box | Word


@dataclass(frozen=True, slots=True)
class Plot:
    """`WIDTH` × `height` units."""

    height: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Ink:
    """How a kind of mark is printed: line, its width, what it is filled with; greys from 0, black, to 1."""

    stroke: float | None = None
    width: float = 1
    fill: float | None = None
    is_bold: bool = False


# Darker means more of what is told; the last two carry white figures.
SHADES = (0.97, 0.87, 0.75, 0.62, 0.42)
INKS = {
    "axis": Ink(stroke=0),
    "grid": Ink(stroke=0.8),
    "span": Ink(stroke=0.25, width=1.5),
    "mark": Ink(stroke=0, width=3),
    "group": Ink(stroke=0, width=4),
    "done": Ink(stroke=0, width=2),
    "target": Ink(stroke=0.5),
    "forecast": Ink(stroke=0.5, width=2),
    "until": Ink(stroke=0.25, width=2),
    "box": Ink(stroke=0, fill=0.9),
    "dark": Ink(stroke=0, fill=0.55),
    "empty": Ink(fill=1),
    "name": Ink(fill=0),
    "number": Ink(fill=0.25),
    "cell": Ink(fill=0),
    "on-dark": Ink(fill=1),
    **{f"shade-{step}": Ink(stroke=0.8, width=0.5, fill=grey) for step, grey in enumerate(SHADES)},
}


def shade_of(share: float) -> int:
    """The step of 0…1: none only for nothing."""
    return 0 if share <= 0 else min(len(SHADES) - 1, max(1, round(share * (len(SHADES) - 1))))


def cell_on(shade: int) -> str:
    """The kind of a word that stands in a box of that shade."""
    return "on-dark" if shade == len(SHADES) - 1 else "cell"


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A row of a picture: its middle, where it begins and ends, and its name in lines that fit before what is drawn."""

    top: int
    middle: int
    bottom: int
    lines: tuple[str, ...]

    def words(self) -> Iterator[Word]:
        first = self.middle - (len(self.lines) - 1) * LINE_HEIGHT / 2 + SIZE / 3
        for place, line in enumerate(self.lines):
            yield Word("name", 0, first + place * LINE_HEIGHT, line)


def placed_rows(names: Sequence[str], *, top: int, least: int = 22, width: int = 150) -> list[PlacedName]:
    """Rows one below the other, each as high as its name asks."""
    found = []
    for name in names:
        lines = wrapped(name, letters_in(width))
        height = max(least, len(lines) * LINE_HEIGHT + 6)
        found.append(PlacedName(top, top + height // 2, top + height, tuple(lines)))
        top += height
    return found


def letters_in(width: float) -> int:
    """As many Latin letters are sure to fit."""
    return int(width / (SIZE * 0.54))


def wrapped(text: str, limit: int) -> list[str]:
    """Lines of at most `limit` Latin letters; broken at spaces, beside Chinese characters, and within a word only where it is longer."""
    lines, line = [], ""
    for piece in _pieces(text):
        while width_of(line + piece.rstrip()) > limit:
            if not line:
                fits = _fitting(piece, limit)
                lines.append(piece[:fits])
                piece = piece[fits:]
            else:
                lines.append(line.rstrip())
                line = ""
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> Iterator[str]:
    """What stays together: a word with the space behind it, a Chinese character with the punctuation behind it."""
    piece = ""
    for letter in text:
        is_apart = (_is_wide(letter) and letter not in "）」』，。、：；！？》") or (
            piece and _is_wide(piece[-1]) and letter not in ")]},.;:!? "
        )
        if piece and ((piece[-1].isspace() and not letter.isspace()) or is_apart):
            yield piece
            piece = ""
        piece += letter
    if piece:
        yield piece


def _fitting(word: str, limit: int) -> int:
    width = 0
    for place, letter in enumerate(word):
        width += 2 if _is_wide(letter) else 1
        if width > limit:
            return max(1, place)
    return len(word)


def width_of(text: str) -> int:
    """A Chinese character is as wide as two Latin letters."""
    return sum(2 if _is_wide(letter) else 1 for letter in text)


def _is_wide(letter: str) -> bool:
    return east_asian_width(letter) in "WF"


def spark_ticks(values: Sequence[int], *, pitch: int, height: int) -> tuple[str, str]:
    """A ruler of days as two paths: a tick per day as high as its value, and the days without any."""
    most = max(values, default=0)
    full = [(place, max(3, round(height * value / most))) for place, value in enumerate(values) if value]
    ticks = "".join(f"M{place * pitch + 1} {height}v-{high}" for place, high in full)
    return ticks, "".join(f"M{place * pitch + 1} {height}v-1" for place, value in enumerate(values) if not value)


def drawn(plot: Plot) -> str:
    """The marks as elements of an SVG; lines of one kind are one path. Boxes lie below lines, words on top."""
    boxes = (_box(mark, f'class="{mark.kind}"') for mark in plot.marks if isinstance(mark, Box))
    lines = (f'<path class="{kind}" d="{path}"/>' for kind, path in _paths(plot))
    words = (_word(mark, f'class="{mark.kind}"') for mark in plot.marks if isinstance(mark, Word))
    return "".join((*boxes, *lines, *words))


def svg_file(plot: Plot, *, title: str, about: str = "") -> str:
    """A file of its own, as wide as a column of a paper; `about` says where it comes from."""
    width, height = WIDTH + 2 * MARGIN, plot.height + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMN_IN}in" viewBox="{-MARGIN} {-MARGIN} {width} {height}"'
        f' font-family="{SANS}" font-size="{SIZE}">',
        f"<title>{escape(title)}</title>",
        *([f"<desc>{escape(about)}</desc>"] if about else []),
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" fill="#fff"/>',
        *(_box(mark, _attributes(mark.kind)) for mark in plot.marks if isinstance(mark, Box)),
        *(f'<path {_attributes(kind)} d="{path}"/>' for kind, path in _paths(plot)),
        *(_word(mark, _attributes(mark.kind)) for mark in plot.marks if isinstance(mark, Word)),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def ink_of(kind: str) -> Ink:
    """By the first word of the kind; what follows tells a row that was chosen on a page."""
    return INKS[kind.split()[0]]


def _attributes(kind: str) -> str:
    ink = ink_of(kind)
    line = "" if ink.stroke is None else f' stroke="{_grey(ink.stroke)}" stroke-width="{ink.width:g}"'
    return f'fill="{"none" if ink.fill is None else _grey(ink.fill)}"{line}'


def _grey(share: float) -> str:
    return f"#{round(255 * share):02x}" + f"{round(255 * share):02x}" * 2


def _paths(plot: Plot) -> Iterator[tuple[str, str]]:
    paths: dict[str, str] = defaultdict(str)
    for mark in plot.marks:
        if isinstance(mark, Line):
            paths[mark.kind] += f"M{mark.x:g} {mark.y:g}L{mark.to_x:g} {mark.to_y:g}"
    yield from paths.items()


def _box(mark: Box, attributes: str) -> str:
    title = f"<title>{escape(mark.title)}</title>" if mark.title else ""
    place = f'x="{mark.x:g}" y="{mark.y:g}" width="{mark.width:g}" height="{mark.height:g}"'
    return f"<rect {attributes} {place}>{title}</rect>" if title else f"<rect {attributes} {place}/>"


def _word(mark: Word, attributes: str) -> str:
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    return f'<text {attributes} x="{mark.x:g}" y="{mark.y:g}"{anchor}>{escape(mark.text)}</text>'
