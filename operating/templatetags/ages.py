"""How long ago something was, in one figure."""

from datetime import datetime

from django import template
from django.utils.translation import gettext as _

from campaigns.templatetags.calendar import time_left

register = template.Library()


@register.filter
def age_at(since: datetime, now: datetime) -> str:
    return _("%(age)s ago") % {"age": time_left(now - since)}
