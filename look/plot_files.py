"""Figures as files: SVG as it is drawn, PDF with its font inside, and PNG as a picture of that PDF; each holds its caption and source. Libraries are loaded on use only.

PDF needs a font of the server, with Chinese letters where names have some; SVG leaves the choice to its reader.
"""

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from zlib import crc32

from django.utils.translation import gettext as _

from look.plots import COLUMN_IN, MARGIN, SIZE, WIDTH, Box, Line, Plot, Word, ink_of, svg_file, width_of

if TYPE_CHECKING:
    from fpdf import FPDF

FORMATS = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
# What papers print pictures at.
DOTS_PER_INCH = 300
POINT = COLUMN_IN * 72 / (WIDTH + 2 * MARGIN)
FILES_KEPT = 64
# A PNG's signature and its first chunk.
HEAD_BYTES = 8 + 25
# One file is made at a time: a font of all Chinese letters takes a second, and many clicks must not take the processor from live dialogues.
_making = Lock()
# Where systems keep their fonts, and the number of the simplified Chinese one in a collection. Latin ones are read ten times as fast.
LATIN = (
    ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0),
    ("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", 0),
)
CHINESE = (
    ("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", 0),
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2),
    ("/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc", 2),
    ("/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc", 2),
    ("/System/Library/Fonts/STHeiti Light.ttc", 1),
    ("C:/Windows/Fonts/msyh.ttc", 0),
)


class NoFont(Exception):
    """No font of the server has the letters; as a sentence it says what to install."""

    def __str__(self) -> str:
        return _("The server has no font for PDF and PNG: its operator can install fonts-noto-cjk. SVG needs none.")


def file_of(plot: Plot, format: str, *, title: str, about: str) -> bytes:
    """The figure in that format; `about` says where it comes from. Errors: `NoFont`."""
    if format == "svg":
        return svg_file(plot, title=title, about=about).encode()
    with _making:
        return (_pdf if format == "pdf" else _png)(plot, title, about)


@lru_cache(FILES_KEPT)
def _pdf(plot: Plot, title: str, about: str) -> bytes:
    from fpdf import FPDF

    font = font_for("".join(mark.text for mark in plot.marks if isinstance(mark, Word)))
    page = FPDF(unit="pt", format=((WIDTH + 2 * MARGIN) * POINT, (plot.height + 2 * MARGIN) * POINT))
    page.set_title(title)
    page.set_subject(about)
    page.set_margin(0)
    page.set_auto_page_break(auto=False)
    page.add_page()
    page.add_font("figure", fname=font[0], collection_font_number=font[1])
    page.set_font("figure", size=SIZE * POINT)
    # As in SVG: boxes below lines, words on top.
    for mark in sorted(plot.marks, key=lambda mark: (isinstance(mark, Word), isinstance(mark, Line))):
        _print(page, mark)
    return bytes(page.output())


def font_for(text: str) -> tuple[str, int]:
    """The first font that is there and has its letters."""
    candidates = CHINESE if width_of(text) > len(text) else (*LATIN, *CHINESE)
    for path, number in candidates:
        if Path(path).exists():
            return path, number
    raise NoFont


def _print(page: "FPDF", mark: Line | Box | Word) -> None:
    ink = ink_of(mark.kind)
    x, y = (mark.x + MARGIN) * POINT, (mark.y + MARGIN) * POINT
    if ink.stroke is not None:
        page.set_draw_color(round(255 * ink.stroke))
        page.set_line_width(ink.width * POINT)
    match mark:
        case Line():
            page.line(x, y, (mark.to_x + MARGIN) * POINT, (mark.to_y + MARGIN) * POINT)
        case Box():
            page.set_fill_color(round(255 * (1 if ink.fill is None else ink.fill)))
            style = "F" if ink.stroke is None else "DF"
            page.rect(x, y, mark.width * POINT, mark.height * POINT, style=style)
        case Word():
            page.set_text_color(round(255 * (ink.fill or 0)))
            shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * page.get_string_width(mark.text)
            page.text(x - shift, y, mark.text)


@lru_cache(FILES_KEPT)
def _png(plot: Plot, title: str, about: str) -> bytes:
    from pypdfium2 import PdfDocument

    document = PdfDocument(_pdf(plot, title, about))
    try:
        picture = document[0].render(scale=DOTS_PER_INCH / 72).to_pil()
    finally:
        document.close()
    written = BytesIO()
    picture.save(written, "PNG", dpi=(DOTS_PER_INCH, DOTS_PER_INCH))
    return _told(written.getvalue(), {"Title": title, "Source": about})


def _told(png: bytes, words: Mapping[str, str]) -> bytes:
    """The picture with these texts as its first chunks (PNG 1.2, iTXt, uncompressed, in UTF-8)."""
    chunks = b""
    for name, text in words.items():
        chunk = b"iTXt" + name.encode() + b"\0\0\0\0\0" + text.encode()
        chunks += (len(chunk) - 4).to_bytes(4) + chunk + crc32(chunk).to_bytes(4)
    return png[:HEAD_BYTES] + chunks + png[HEAD_BYTES:]
