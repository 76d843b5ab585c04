"""How figures are set on a page; a missing one is a dash, never a zero."""

from django import template

from leaderboards.boards import Row

register = template.Library()


@register.filter
def figure(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


@register.filter
def rating(row: Row, criterion: str) -> float | None:
    return row.figures.ratings.get(criterion)
