"""make screenshots: every page × language × theme × size, and one HTML file that shows them beside the prototype's pictures."""

import shutil
import sys
import tempfile
from html import escape
from pathlib import Path

from tests.live.databases import ROOT
from tests.live.page_site import LANGUAGES, PAGES, SIZES, THEMES, Page, PageSite, page_site

SHOTS = ROOT / "var" / "screenshots"
PROTOTYPES = ROOT.parent / "shared" / "prototypes" / "pages" / "shots"
STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;margin:24px;background:#eceef1;color:#14181e}"
    "section{margin-bottom:40px}div{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start}"
    "figure{margin:0}img{display:block;height:280px;border:1px solid #c4cad3}figcaption{font-size:12px;color:#5c6572}"
    ".theirs img{outline:3px solid #835200}nav a{margin-right:12px}"
)


def file_name(page: Page, language: str, theme: str, size: tuple[int, int]) -> str:
    return f"{page.name}-{language}-{theme}-{size[0]}.png"


def take(site: PageSite, page: Page, language: str) -> None:
    tab, errors = site.open(page, language)
    for theme in THEMES:
        tab.emulate_media(color_scheme=theme)
        for width, height in SIZES:
            tab.set_viewport_size({"width": width, "height": height})
            tab.screenshot(path=str(SHOTS / file_name(page, language, theme, (width, height))))
    tab.close()
    for error in errors:
        print(f"{page.name} ({language}): {error}", file=sys.stderr)


def take_prototypes() -> set[str]:
    """Copies the prototype's pictures that stand beside the checkout; the sheet is complete without them."""
    folder = SHOTS / "prototype"
    folder.mkdir(exist_ok=True)
    for picture in PROTOTYPES.glob("*.png"):
        shutil.copyfile(picture, folder / picture.name)
    return {picture.name for picture in folder.glob("*.png")}


def picture_of(page: Page, language: str, theme: str, width: int, known: set[str]) -> str:
    """The name of the prototype's picture nearest to ours, or nothing."""
    dark = "-dark" if theme == "dark" else ""
    middles = ["-en", ""] if language == "en" else [""]
    names = [f"{page.picture}{middle}-{width}{dark}.png" for middle in middles] + [f"{page.picture}.png"]
    return next((name for name in names if page.picture and name in known), "")


def figure(source: str, caption: str, kind: str = "") -> str:
    inside = f'<img loading="lazy" src="{escape(source)}" alt="{escape(caption)}">'
    return f'<figure class="{kind}"><a href="{escape(source)}">{inside}</a><figcaption>{escape(caption)}</figcaption></figure>'


def section(page: Page, known: set[str]) -> str:
    parts = [f'<section id="{page.name}"><h2>{escape(page.name)} <small>{escape(page.path)}</small></h2>']
    if page.note:
        parts.append(f"<p>{escape(page.note)}</p>")
    for language in LANGUAGES:
        for theme in THEMES:
            parts.append("<div>")
            for width, height in SIZES:
                theirs = picture_of(page, language, theme, width, known)
                parts.append(
                    figure(file_name(page, language, theme, (width, height)), f"{language} {theme} {width}×{height}")
                )
                if theirs:
                    parts.append(figure(f"prototype/{theirs}", f"prototype: {theirs}", "theirs"))
            parts.append("</div>")
    return "\n".join([*parts, "</section>"])


def write_sheet(known: set[str]) -> Path:
    links = " ".join(f'<a href="#{page.name}">{escape(page.name)}</a>' for page in PAGES)
    body = "\n".join(section(page, known) for page in PAGES)
    head = f'<meta charset="utf-8"><title>Pages of Huace</title><style>{STYLE}</style>'
    sheet = SHOTS / "index.html"
    sheet.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body><nav>{links}</nav>{body}</body></html>')
    return sheet


def main() -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="huace-pages-") as folder, page_site(Path(folder)) as site:
        for language in LANGUAGES:
            for page in PAGES:
                if not wanted or page.name in wanted:
                    take(site, page, language)
    print(write_sheet(take_prototypes()))


if __name__ == "__main__":
    main()
