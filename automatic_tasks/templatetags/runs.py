"""Figures of runs on pages; a missing one is a dash, never a zero."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext

from automatic_tasks.models import AutomaticTask
from automatic_tasks.runs.quotas import why_no_runs
from leaderboards import explanations

register = template.Library()


@register.filter
def at(table: Mapping[Any, Any] | None, key: Any) -> Any:
    return None if table is None else table.get(key)


@register.filter
def fixed(value: float | None, decimals: int) -> str:
    return "–" if value is None else explanations.fixed(value, decimals)


@register.filter
def word(text: str) -> str:
    """A word of ours that is stored in English; names of others stay as they are."""
    return gettext(text) if text else ""


@register.filter
def seconds(took: Any) -> str:
    return "–" if took is None else f"{took.total_seconds():.1f} s"


@register.filter
def why_closed_now(task: AutomaticTask) -> str:
    """Why the task takes no runs at this moment; empty where it does."""
    return why_no_runs(task, timezone.now())
