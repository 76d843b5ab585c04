"""How a bot or service stands in the lab, for the pages of rooms below."""

from datetime import datetime
from typing import Any

from campaigns.models import Entry
from conformance.actions import change_of
from conformance.documents import word_of
from conformance.models import Check, Routes


def standing_of(entry: Entry, at: datetime) -> dict[str, Any]:
    """What `conformance/_latest.html` shows of a bot."""
    return standing(entry, Check.routes) | {"fresh": entry.has_fresh_report(entry.campaign, at)}


def standing(subject: Any, routes: Routes) -> dict[str, Any]:
    """The same of any subject, but for whether its report is as fresh as the campaign demands."""
    latest = subject.checks.latest_first().first()
    return {
        "subject": subject,
        "routes": routes,
        "latest": latest,
        "latest_word": word_of(latest) if latest else "",
        "changed": change_of(subject),
    }
