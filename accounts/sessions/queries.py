"""The logins of a person, as pages and programs show them."""

import re
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import LogIn, Person

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


@dataclass(frozen=True, slots=True)
class LogInRow:
    """One login; `is_this_one` where the reader reads in it."""

    id: int
    device: str
    address: str
    since: datetime
    seen_at: datetime
    ends_at: datetime
    is_this_one: bool


def log_ins_of(person: Person, session_key: str, at: datetime) -> list[LogInRow]:
    """Those that go on, the reader's own first, then the most recently used."""
    alive = person.log_ins.filter(session__expire_date__gt=at).select_related("session").order_by("-seen_at", "-pk")
    rows = [_row_of(log_in, session_key) for log_in in alive]
    return sorted(rows, key=lambda row: not row.is_this_one)


def device_in_words(agent: str) -> str:
    browser, system = browser_of(agent), system_of(agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("unknown device")


def _row_of(log_in: LogIn, session_key: str) -> LogInRow:
    return LogInRow(
        id=log_in.pk,
        device=device_in_words(log_in.agent),
        address=log_in.address,
        since=log_in.since,
        seen_at=log_in.seen_at,
        ends_at=log_in.session.expire_date,
        is_this_one=log_in.session_id == session_key,
    )
