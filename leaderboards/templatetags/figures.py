"""How figures are set on a page; a missing one is a dash, never a zero."""

from collections.abc import Mapping
from typing import Any

from django import template

from leaderboards.board import Key, Row

register = template.Library()


@register.filter
def figure(row: Row, key: Key) -> str:
    """The row's figure as the key is rounded."""
    return fixed(row.figures.get(key.name), key.decimals)


@register.filter
def fixed(value: float | None, decimals: int) -> str:
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")


@register.filter
def of_row(pictures: Mapping[str, Any], row: Row) -> Any:
    return pictures.get(row.key)
