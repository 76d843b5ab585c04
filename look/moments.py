"""How a moment is written on pages, in mails and by commands: on the clocks of one zone, which its offset names. Pure.

"2026-12-04 08:30 (UTC+08:00)". `static/look/moments.js` writes what scripts draw in the same way.
"""

from datetime import datetime, tzinfo

from django.utils.dateformat import format as formatted
from django.utils.html import format_html
from django.utils.safestring import SafeString

MINUTES, SECONDS = "Y-m-d H:i", "Y-m-d H:i:s"


def offset_of(local: datetime) -> str:
    """ "UTC+08:00" for a moment that is on its zone's clocks already."""
    said = local.strftime("%z")
    return f"UTC{said[:3]}:{said[3:5]}"


def moment_on(zone: tzinfo, moment: datetime, form: str = "") -> str:
    """The moment in Django's date format; without one, to the minute, and to the second where it has seconds."""
    local = moment.astimezone(zone)
    return f"{formatted(local, form or (SECONDS if local.second else MINUTES))} ({offset_of(local)})"


def time_element(zone: tzinfo, moment: datetime, form: str = "") -> SafeString:
    """The same as an element of a page, to which the browser adds the reader's own time as the tooltip."""
    return format_html(
        '<time class="moment" datetime="{}">{}</time>', moment.isoformat(), moment_on(zone, moment, form)
    )
