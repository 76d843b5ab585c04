"""{% now_and_next campaign %} and {% phase_now campaign %}: the calendar as its reader needs it; nothing without dates."""

from typing import Any

from django import template
from django.utils import timezone

from campaigns.calendar_words import shown_calendar
from campaigns.models import Campaign

register = template.Library()


@register.inclusion_tag("campaigns/_now_and_next.html")
def now_and_next(campaign: Campaign) -> dict[str, Any]:
    """A strip with what is on, until when, and what comes next."""
    return {"calendar": shown_calendar(campaign, timezone.now())}


@register.inclusion_tag("campaigns/_phase_now.html")
def phase_now(campaign: Campaign) -> dict[str, Any]:
    """The same on one short line, for rows of lists."""
    return {"calendar": shown_calendar(campaign, timezone.now())}
