"""{% protocol_options typed wrong %}: a field for each option that an adapter declares, as its kind asks."""

from collections.abc import Mapping
from typing import Any

from django import template

from participants.adapters import ADAPTERS
from participants.adapters.contract import Option
from participants.bot_form import MAPPING
from reading.kinds import FLAG, Choice, Kind, Text

register = template.Library()
# Longer texts are typed in an area of lines.
LINE_LIMIT = 200


@register.inclusion_tag("participants/_protocol_options.html")
def protocol_options(typed: Mapping[str, str], wrong: Mapping[str, str]) -> dict[str, Any]:
    """`typed` and `wrong` hold what was typed and what is wrong by `option_<name>`. The mapping has a form of its own.

    Shown are the options of the chosen protocol (static/participants/protocol_fields.js).
    """
    chosen = typed.get("protocol", "")
    speakers: dict[str, list[str]] = {}
    declared: dict[str, Option] = {}
    for protocol, adapter in ADAPTERS.items():
        for name, option in adapter.options.items() if protocol != MAPPING else ():
            speakers.setdefault(name, []).append(protocol)
            declared[name] = option
    rows = [
        {
            "name": name,
            "protocols": " ".join(speakers[name]),
            "is_shown": chosen in speakers[name],
            "help": option.help,
            "typed": typed.get(f"option_{name}", ""),
            "error": wrong.get(f"option_{name}", ""),
            **_widget_of(option.kind),
        }
        for name, option in declared.items()
    ]
    rows.sort(key=lambda row: row["widget"] == "check")
    shown = [row for row in rows if row["is_shown"]]
    return {"options": rows, "is_shown": bool(shown), "is_open": any(row["typed"] or row["error"] for row in shown)}


def _widget_of(kind: Kind) -> dict[str, Any]:
    """The kind of field that asks for it, with its choices or its limit in characters."""
    if kind is FLAG:
        return {"widget": "check"}
    if isinstance(kind, Choice):
        return {"widget": "select", "choices": kind.choices}
    if isinstance(kind, Text):
        return {"widget": "area" if kind.limit > LINE_LIMIT else "text", "limit": kind.limit}
    return {"widget": "text"}
