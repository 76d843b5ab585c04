"""How long ago something was, and when the last backup was made."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.templatetags.calendar import time_left
from operating.state import last_backup, wrong_of_backup

register = template.Library()


@register.filter
def age_at(since: datetime, now: datetime) -> str:
    return _("%(age)s ago") % {"age": time_left(now - since)}


@register.inclusion_tag("operating/_last_backup.html")
def backup_line() -> dict[str, Any]:
    """Says when everything was last backed up; the time, as a page may stay open all day."""
    backup = last_backup()
    return {"backup": backup, "is_old": bool(wrong_of_backup(backup, timezone.now()))}
