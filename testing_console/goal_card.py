"""What a tester sees beside the chat: the facts of the scenario as groups, and the data that the bots book from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.labels import fact_label


@dataclass(frozen=True, slots=True)
class FactGroup:
    label: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FactTable:
    label: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def fact_groups(facts: Mapping[str, Any]) -> list[FactGroup]:
    """Plain facts first, then one group per table of facts; lists of tables are left to `fact_tables`."""
    plain = tuple((fact_label(key), str(value)) for key, value in facts.items() if not isinstance(value, dict | list))
    groups = [FactGroup("", plain)] if plain else []
    groups += [
        FactGroup(fact_label(key), tuple((fact_label(name), str(value)) for name, value in group.items()))
        for key, group in facts.items()
        if isinstance(group, dict)
    ]
    return groups


def fact_tables(facts: Mapping[str, Any]) -> list[FactTable]:
    tables = []
    for key, rows in facts.items():
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            columns = list(dict.fromkeys(name for row in rows for name in row))
            tables.append(
                FactTable(
                    fact_label(key),
                    tuple(map(fact_label, columns)),
                    tuple(tuple(str(row.get(name, "")) for name in columns) for row in rows),
                )
            )
    return tables
