"""What a tester sees beside the chat: the parts of the task with their facts, and the data that the bots book from."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from campaigns.labels import fact_label, kind_label

ICONS = {
    "flight": "plane",
    "flights": "plane",
    "train": "train-front",
    "trains": "train-front",
    "hotel": "bed-double",
    "hotels": "bed-double",
}
# Longer facts take a whole line of the card: half a line holds about this many columns of Latin letters.
HALF_LINE = 15
# Written without a space or dot between them in the line of a part.
PAIRS = (("from", "to", "→"), ("city", "place", ""), ("date", "time", ""))
WIDE = ("⺀", "￦")
ALTERNATIVES = re.compile("[/／、]|或者?| or ")


@dataclass(frozen=True, slots=True)
class Fact:
    """`spoken` are the ways to say its value: the console ticks it where one of them is said. `is_wide`: it has a line of its own."""

    key: str
    label: str
    value: str
    spoken: tuple[str, ...] = ()
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the task; `line` says it in a few words, `table` is the key of the data that it is booked from, if any."""

    index: int
    label: str
    icon: str
    line: str
    facts: tuple[Fact, ...]
    table: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """What the tester was given to use, and whether they say that it is used."""

    text: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class FactTable:
    key: str
    label: str
    icon: str
    heads: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[tuple[str, bool], ...], ...]


def items_of(texts: Iterable[str], ticked: Iterable[int]) -> list[Item]:
    used = set(ticked)
    return [Item(text, place in used) for place, text in enumerate(texts)]


def width_of(text: str) -> int:
    """Columns that the text takes: Chinese characters take two."""
    return sum(2 if WIDE[0] <= character <= WIDE[1] else 1 for character in text)


def card_parts(kinds: Iterable[tuple[int, str]], facts: Mapping[str, Any]) -> list[Part]:
    """The parts in order, each with the group of facts that its kind names."""
    return [
        Part(index, kind_label(kind), ICONS.get(kind, ""), line_of(group), facts_of(group), table_of(kind, facts))
        for index, kind in kinds
        for group in [facts[kind] if isinstance(facts.get(kind), dict) else {}]
    ]


def table_of(kind: str, facts: Mapping[str, Any]) -> str:
    """The key of the table that is called after the kind, as `flights` after `flight`; empty where there is none."""
    tables = [key for key, rows in facts.items() if kind and key.startswith(kind) and is_table(rows)]
    return min(tables, key=len, default="")


def is_table(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, dict) for row in rows)


def general_facts(kinds: Iterable[str], facts: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What belongs to no part: plain facts, and the groups that no part of the task is called after."""
    plain = {key: value for key, value in facts.items() if not isinstance(value, dict | list)}
    others = [value for key, value in facts.items() if isinstance(value, dict) and key not in set(kinds)]
    return sum((facts_of(group) for group in others), facts_of(plain))


def facts_of(group: Mapping[str, Any]) -> tuple[Fact, ...]:
    facts = [Fact(key, fact_label(key), said(key, value, group), spoken(key, value)) for key, value in group.items()]
    return tuple(in_lines(facts))


def in_lines(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts with who has a line alone: what is long, and what is left without a neighbour."""
    left: Fact | None = None
    for fact in facts:
        is_long = width_of(fact.label) + width_of(fact.value) > HALF_LINE
        if left is not None:
            yield replace(left, is_wide=is_long)
        if is_long or left is not None:
            yield replace(fact, is_wide=is_long)
            left = None
        else:
            left = fact
    if left is not None:
        yield replace(left, is_wide=True)


NUMERALS = {1: "一", 2: "二两", 3: "三", 4: "四", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九", 10: "十"}


def spoken(key: str, value: Any) -> tuple[str, ...]:
    """The words that say a fact: each alternative of 上午/中午, an amount as its number, nights only with their unit."""
    if isinstance(value, bool):
        return ()
    if key == "nights":
        return tuple(f"{n}{unit}" for n in (value, *NUMERALS.get(value, "")) for unit in ("晚", "个晚", " night"))
    return tuple(filter(None, (word.strip() for word in ALTERNATIVES.split(str(value)))))


def said(key: str, value: Any, group: Mapping[str, Any]) -> str:
    """A fact in words: numbers of nights and yuan get their unit."""
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    if key == "nights":
        return ngettext("%(n)d night", "%(n)d nights", value) % {"n": value}
    if key == "budget":
        most = _("≤ %(n)d yuan per night") if "nights" in group else _("≤ %(n)d yuan")
        return most % {"n": value}
    return _("%(n)d yuan") % {"n": value} if key == "price" else str(value)


def line_of(group: Mapping[str, Any]) -> str:
    """The facts of a part on one line: 成都→北京 · 后天上午 · 商务舱."""
    left = {key: said(key, value, group) for key, value in group.items()}
    pieces: dict[str, str] = {}
    for key in group:
        pair = next((pair for pair in PAIRS if key == pair[0] and pair[1] in left), None)
        if pair and key in left:
            pieces[key] = joined(left.pop(key), pair[2], left.pop(pair[1]))
        elif key in left:
            pieces[key] = left.pop(key)
    return " · ".join(pieces.values())


def joined(first: str, sign: str, second: str) -> str:
    """Words of the Latin alphabet keep a space between them."""
    needs_space = not sign and not (get_language() or "").startswith("zh") and width_of(second) == len(second)
    return f"{first}{sign or (' ' if needs_space else '')}{second}"


def fact_tables(facts: Mapping[str, Any]) -> list[FactTable]:
    tables = []
    for key, rows in facts.items():
        if is_table(rows):
            columns = list(dict.fromkeys(name for row in rows for name in row))
            numbers = {name for name in columns if all(isinstance(row.get(name, 0), int | float) for row in rows)}
            tables.append(
                FactTable(
                    key,
                    fact_label(key),
                    ICONS.get(key, ""),
                    tuple((fact_label(name), name in numbers) for name in columns),
                    tuple(
                        tuple((said(name, row.get(name, ""), row), name in numbers) for name in columns) for row in rows
                    ),
                )
            )
    return tables
