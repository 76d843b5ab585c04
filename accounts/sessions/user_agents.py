"""What a browser calls itself, in plain words. Pure."""

import re

# Those that pretend to be others come before those.
BROWSERS = (
    ("WeChat", "MicroMessenger"),
    ("QQ Browser", "QQBrowser"),
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", "OPR/|Opera"),
    ("Samsung Internet", "SamsungBrowser"),
    ("UC Browser", "UCBrowser"),
    ("Firefox", "Firefox/|FxiOS"),
    ("Chrome", "Chrome/|CriOS"),
    ("Safari", "Safari/"),
)
SYSTEMS = (
    ("HarmonyOS", "HarmonyOS|OpenHarmony"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X|Macintosh"),
    ("ChromeOS", "CrOS"),
    ("Linux", "Linux"),
)
AGENT_LIMIT = 300


def browser_of(agent: str) -> str:
    """The browser, or the first word of a program's own name; empty where nothing is said."""
    return _first(BROWSERS, agent) or re.split(r"[/ (;]", agent, maxsplit=1)[0][:40]


def system_of(agent: str) -> str:
    return _first(SYSTEMS, agent)


def _first(table: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for name, mark in table if re.search(mark, agent)), "")
