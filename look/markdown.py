"""Markdown that organizers wrote, as HTML that is safe on our pages: no HTML of theirs, no images, addresses of the web and mail alone."""

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

SCHEMES = ("http", "https", "mailto")
# The page has one title, its sections a head each, and so have their parts.
FIRST_HEADING, LAST_HEADING = 4, 6


@lru_cache(maxsize=128)
def markdown(text: str) -> SafeString:
    """The text as HTML; of CommonMark all but HTML and images, and tables and strikethrough beside it."""
    return mark_safe(_reader.render(text))


def _is_allowed(address: str) -> bool:
    """An address that begins with a scheme is absolute; `//host` would be too, under the page's own."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in SCHEMES if parts.scheme else not parts.netloc and "\\" not in address


def _heading(
    _renderer: RendererProtocol,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    closing = "/" if tokens[index].nesting == -1 else ""
    level = min(int(tokens[index].tag[1]) + FIRST_HEADING - 1, LAST_HEADING)
    return f"<{closing}h{level}>" + ("\n" if closing else "")


def _link(
    renderer: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    tokens[index].attrSet("rel", "noopener nofollow")
    rendered: str = renderer.renderToken(tokens, index, options, env)
    return rendered


def _cell(
    renderer: Any, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """Our pages allow no style in an element: a column that is not aligned to the left has a class instead."""
    if style := tokens[index].attrs.pop("style", ""):
        tokens[index].attrSet("class", f"to-{str(style).partition(':')[2]}")
    rendered: str = renderer.renderToken(tokens, index, options, env)
    return rendered


def _made() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    made.validateLink = _is_allowed  # type: ignore[assignment, method-assign]
    for name in "heading_open", "heading_close":
        made.add_render_rule(name, _heading)
    for name in "th_open", "td_open":
        made.add_render_rule(name, _cell)
    made.add_render_rule("link_open", _link)
    return made


_reader = _made()
