"""How figures are set on a page; a missing one is a dash, never a zero."""

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns import labels
from leaderboards.board import Board, Key, Row, arrow_in_words, arrow_of
from leaderboards.board_page import Bar, Cell
from leaderboards.explanations import Chance, RankChances
from scoring import printed_figures

register = template.Library()


@register.filter
def figure(row: Row, key: Key) -> str:
    """The row's figure as the key is rounded."""
    return fixed(row.figures.get(key.name), key.decimals)


@register.filter
def fixed(value: float | None, decimals: int) -> str:
    return "–" if value is None else printed_figures.fixed(value, decimals)


@register.filter
def told_p(p: float) -> str:
    return printed_figures.told_p(p)


@register.filter
def kind_label(kind: str) -> str:
    return labels.kind_label(kind)


@register.filter
def part_label(name: str, by: str) -> str:
    """What a part of the board is called: kinds and skills in words, people by their names."""
    if by == "kind":
        return " + ".join(map(labels.kind_label, name.split("+")))
    return labels.skill_label(name) if by == "skill" else name


@register.filter
def arrow(better: str) -> SafeString:
    """The arrow of a direction ("higher", "lower"), for screen readers in words; nothing where nobody knows which way is better."""
    if not better:
        return mark_safe("")
    words = arrow_in_words(better)
    drawn = '<span class="arrow" title="{}"><span aria-hidden="true">{}</span><span class="visually-hidden"> ({})</span></span>'
    return format_html(drawn, words, arrow_of(better), words)


@register.filter
def of_row(pictures: Mapping[str, Any], row: Row) -> Any:
    return pictures.get(row.key)


@register.filter
def of_key(by_key: Mapping[str, Any] | None, key: Key) -> Any:
    return (by_key or {}).get(key.name)


@register.filter
def figure_cells(cells: Iterable[Cell]) -> SafeString:
    """A row's figures with their bars; like `chance_cells`, drawn without a template's loop."""
    return mark_safe("".join(map(_figure_cell, cells)))


def _figure_cell(cell: Cell) -> str:
    figure = escape(cell.figure)
    told = f'<a href="{escape(cell.href)}" rel="nofollow">{figure}</a>' if cell.href else f"<span>{figure}</span>"
    bar = _bar(cell.bar, cell.figure) if cell.bar else ""
    heads = f'data-head="{escape(cell.head)}" data-spoken="{escape(cell.spoken)}"'
    return f'<td class="number figure" {heads}>{told}{bar}</td>'


def _bar(bar: Bar, figure: str) -> str:
    """Paths consist of numbers, so they need no escaping."""
    title = escape(bar.title)
    return (
        f'<svg class="bar72" viewBox="0 0 72 7" role="img" aria-label="{title or escape(figure)}">'
        f"{title and f'<title>{title}</title>'}{_path('scale', bar.scale_path)}"
        f"{bar.span_path and _path('span', bar.span_path)}{_path('mark', bar.mark_path)}</svg>"
    )


def _path(kind: str, drawn: str) -> str:
    return f'<path class="{kind}" d="{drawn}"/>'


@register.filter
def chance_cells(one: RankChances) -> SafeString:
    """P(rank = k) as cells; a template's own loop takes many times as long, and twenty systems have 400 of them."""
    return mark_safe("".join(map(_chance_cell, one.chances)))


@cache  # whole percents: about a hundred
def _chance_cell(chance: Chance) -> SafeString:
    return format_html('<td class="number shade-{}">{}</td>', chance.shade, chance.percents)


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
