"""How figures are set on a page; a missing one is a dash, never a zero."""

from django import template

from leaderboards.boards import Row

register = template.Library()

LETTERS = {"completion": "C", "mean_turns": "T", "satisfaction": "Sa", "fluency": "F", "guidance": "G"}


@register.filter
def figure(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


@register.filter
def rating(row: Row, criterion: str) -> float | None:
    return row.figures.ratings.get(criterion)


@register.filter
def letter(figure_name: str) -> str:
    return LETTERS.get(figure_name, figure_name)
