"""make screenshots: every page × language × theme × size, and one HTML file that shows them; the pictures of the site besides.

With names of pages it takes those alone, with widths (`1440`) those widths alone. Pictures of the site
(docs/images/PAGE-LANGUAGE.png) are light, 1280 wide, in few colours.
"""

import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from PIL import Image

from tests.live.databases import ROOT
from tests.live.page_site import LANGUAGES, PAGES, SIZES, THEMES, Page, PageSite, page_site

SHOTS = ROOT / "var" / "screenshots"
PICTURED = {
    "console", "console-score", "review", "leaderboard", "wall", "publication", "judge", "pair", "replay", "study",
}  # fmt: skip
PICTURES, COLOURS = ROOT / "docs" / "images", 64
STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;margin:24px;background:#eceef1;color:#14181e}"
    "section{margin-bottom:40px}div{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start}"
    "figure{margin:0}img{display:block;height:280px;border:1px solid #c4cad3}figcaption{font-size:12px;color:#5c6572}"
    "nav a{margin-right:12px}"
)


def file_name(page: Page, language: str, theme: str, size: tuple[int, int]) -> str:
    return f"{page.name}-{language}-{theme}-{size[0]}.png"


def take(site: PageSite, page: Page, language: str, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    tab, errors = site.open(page, language)
    for theme in THEMES:
        tab.emulate_media(color_scheme=theme)
        for width, height in sizes:
            tab.set_viewport_size({"width": width, "height": height})
            shot = SHOTS / file_name(page, language, theme, (width, height))
            tab.screenshot(path=str(shot))
            if page.name in PICTURED and (theme, width) == (THEMES[0], SIZES[0][0]):
                with Image.open(shot) as picture:
                    few = picture.convert("RGB").quantize(COLOURS)
                    few.save(PICTURES / f"{page.name}-{language}.png", optimize=True)
    tab.close()
    for error in errors:
        print(f"{page.name} ({language}): {error}", file=sys.stderr)


def figure(source: str, caption: str) -> str:
    inside = f'<img loading="lazy" src="{escape(source)}" alt="{escape(caption)}">'
    return f'<figure><a href="{escape(source)}">{inside}</a><figcaption>{escape(caption)}</figcaption></figure>'


def section(page: Page) -> str:
    rows = "\n".join(
        "<div>{}</div>".format(
            "".join(
                figure(file_name(page, language, theme, size), f"{language} {theme} {size[0]}×{size[1]}")
                for size in SIZES
            )
        )
        for language in LANGUAGES
        for theme in THEMES
    )
    title = f"<h2>{escape(page.name)} <small>{escape(page.path)}</small></h2>"
    return f'<section id="{page.name}">{title}{rows}</section>'


def write_sheet() -> Path:
    links = " ".join(f'<a href="#{page.name}">{escape(page.name)}</a>' for page in PAGES)
    body = "\n".join(map(section, PAGES))
    head = f'<meta charset="utf-8"><title>Pages of Huace</title><style>{STYLE}</style>'
    sheet = SHOTS / "index.html"
    sheet.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body><nav>{links}</nav>{body}</body></html>')
    return sheet


def main() -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    widths = [int(one) for one in sys.argv[1:] if one.isdigit()]
    sizes = [(width, 900) for width in widths] or SIZES
    wanted = {one for one in sys.argv[1:] if not one.isdigit()}
    with tempfile.TemporaryDirectory(prefix="huace-pages-") as folder, page_site(Path(folder)) as site:
        for language in LANGUAGES:
            for page in PAGES:
                if not wanted or page.name in wanted:
                    take(site, page, language, sizes)
    print(write_sheet())


if __name__ == "__main__":
    main()
