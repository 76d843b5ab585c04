"""How figures are set on a page; a missing one is a dash, never a zero."""

from collections.abc import Mapping
from typing import Any

from django import template

from campaigns import labels
from leaderboards.board import Board, Key, Row

register = template.Library()


@register.filter
def figure(row: Row, key: Key) -> str:
    """The row's figure as the key is rounded."""
    return fixed(row.figures.get(key.name), key.decimals)


@register.filter
def fixed(value: float | None, decimals: int) -> str:
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")


@register.filter
def kind_label(kind: str) -> str:
    return labels.kind_label(kind)


@register.filter
def of_row(pictures: Mapping[str, Any], row: Row) -> Any:
    return pictures.get(row.key)


@register.filter
def of_key(by_key: Mapping[str, Any] | None, key: Key) -> Any:
    return (by_key or {}).get(key.name)


@register.filter
def place_in_rule(board: Board, key: Key) -> int | None:
    return board.place_in_rule(key)


@register.filter
def before_colon(words: object) -> str:
    """The name in words that say "name: what it is"."""
    return str(words).replace("：", ":").partition(":")[0]


@register.filter
def as_given(value: float | None) -> str:
    """A single value, as its reviewer gave it: whole where it is."""
    return "–" if value is None else f"{value:g}".replace("-", "−")
