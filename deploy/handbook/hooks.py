"""Hooks of mkdocs for `make site`: pages made from the code, files of the checkout, and links between the two languages.

Links of docs/ are written for readers of the repository. On the site a file beside docs/ (`../examples/bots/dial_out.py`) is a
page of its own, so that a reader who has the site alone has all that it names; from Chinese pages, an English page is a relative address.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
LOOKED_UP = ROOT / "var" / "look-up"
ENGLISH = ROOT / "docs"
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
# Words of links that mkdocs leaves alone, until the page is HTML.
ELSEWHERE = "https://elsewhere.invalid/"
# With it the search works in a folder, too; the theme would fetch it from another host.
SHIM = Path(__file__).with_name("vendor") / "iframe-worker.js"
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".ipynb": "json", ".jsonl": "json", ".md": "markdown"}
SHOWN_UP_TO = 60_000


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A document that no menu names stands under "More", so that none is lost."""
    if Path(config.docs_dir) == ENGLISH:
        named = str(config.nav)
        more = [path.name for path in sorted(ENGLISH.glob("*.md")) if f"'{path.name}'" not in named]
        config.nav = [*(config.nav or []), *([{"More": more}] if more else [])]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is made from the code, and each file outside docs/ that a page links."""
    folder = Path(config.docs_dir)
    files.append(File.generated(config, "assets/iframe-worker.js", content=SHIM.read_text()))
    if folder == ENGLISH:
        for made in sorted(LOOKED_UP.glob("*.md")):
            files.append(File.generated(config, f"look-up/{made.name}", content=made.read_text()))
        files.append(File.generated(config, "decisions/index.md", content=_decisions()))
    for file in list(files.documentation_pages()):
        for target in _linked(file.content_string):
            path = _beside_docs(folder, file.src_uri, target)
            if path is not None and files.get_file_from_path(_uri_of(path)) is None:
                for one in (path, *(_shown_in(path) if path.is_dir() else ())):
                    files.append(File.generated(config, _uri_of(one), content=_page_of(one)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    folder = Path(config.docs_dir)

    def led(found: re.Match[str]) -> str:
        target, _, anchor = found[2].partition("#")
        anchor = f"#{anchor}" if anchor else ""
        path = _beside_docs(folder, page.file.src_uri, target)
        if path is not None:
            return f"{found[1]}{_relative(_uri_of(path), page.file.src_uri)}{anchor}{found[3]}"
        if (inside := _target(folder, page.file.src_uri, target)) and inside.is_dir():
            return f"{found[1]}{target.rstrip('/')}/index.md{anchor}{found[3]}"
        if folder != ENGLISH and (english := _english(folder, page.file.src_uri, target)):
            return f"{found[1]}{ELSEWHERE}{english}{anchor}{found[3]}"
        return found[0]

    return LINK.sub(led, markdown)


def on_page_content(html: str, **_: Any) -> str:
    return html.replace(ELSEWHERE, "")


def _linked(text: str) -> set[str]:
    return {found[1].partition("#")[0] for found in LINK.findall(text) if ":" not in found[1]}


def _target(folder: Path, source: str, target: str) -> Path | None:
    """The file of the checkout that a link of docs/ leads to, if it leads anywhere."""
    if not target or ":" in target:
        return None
    path = Path(posixpath.normpath(posixpath.join(folder, posixpath.dirname(source), target)))
    return path if path.exists() and path.is_relative_to(ROOT) else None


def _beside_docs(folder: Path, source: str, target: str) -> Path | None:
    path = _target(folder, source, target)
    return None if path is None or path.is_relative_to(ENGLISH) else path


def _english(folder: Path, source: str, target: str) -> str:
    """From a Chinese page: the relative address of an English page or picture."""
    made = posixpath.normpath(posixpath.join("zh", posixpath.dirname(source), target))
    path = ENGLISH / made
    is_made = (LOOKED_UP / posixpath.basename(made)).exists() and made.startswith("look-up/")
    if not target or ":" in target or path.is_relative_to(folder) or not (path.exists() or is_made):
        return ""
    return re.sub(r"\.md$", ".html", target)


def _uri_of(path: Path) -> str:
    """Where a file of the checkout stands on the site: a page that shows it."""
    name = path.relative_to(ROOT).as_posix()
    return f"files/{name}/index.md" if path.is_dir() else f"files/{name}.md"


def _shown_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]


def _page_of(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        rows = [f"- [{one.relative_to(path)}]({_relative(_uri_of(one), _uri_of(path))})" for one in _shown_in(path)]
        return f"# {name}\n\n" + "\n".join(rows) + "\n"
    text = path.read_text()
    kept = text if len(text) <= SHOWN_UP_TO else text[:SHOWN_UP_TO] + "\n…"
    fence = "`" * 6
    return f"# {name}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{kept.rstrip()}\n{fence}\n"


def _decisions() -> str:
    found = sorted((ENGLISH / "decisions").glob("[0-9]*.md"))
    titles = {path: path.read_text().partition("\n")[0].removeprefix("# ") for path in found}
    return "# Decisions\n\n" + "\n".join(f"- [{title}]({path.name})" for path, title in titles.items()) + "\n"


def _relative(target: str, source: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(source) or ".")
