"""{% protocol_options typed wrong %}: a field for each option that an adapter declares, as its kind asks."""

from collections.abc import Mapping
from typing import Any

from django import template

from participants.adapters import ADAPTERS
from participants.bot_form import MAPPING
from reading.kinds import FLAG, Choice, Text

register = template.Library()
# Longer texts are typed in an area of lines.
LINE_LIMIT = 200


@register.inclusion_tag("organizing/participating/_protocol_options.html")
def protocol_options(typed: Mapping[str, str], wrong: Mapping[str, str]) -> dict[str, Any]:
    """`typed` and `wrong` hold what was typed and what is wrong by `option_<name>`. The mapping has a form of its own."""
    options: dict[str, dict[str, Any]] = {}
    for protocol, adapter in ADAPTERS.items():
        if protocol == MAPPING:
            continue
        for name, option in adapter.options.items():
            kind = option.kind
            row = options.setdefault(name, {"name": name, "help": option.help, "widget": "text", "n": []})
            row["n"].append(protocol)
            row["protocols"] = ", ".join(row["n"])
            row["typed"], row["error"] = typed.get(f"option_{name}", ""), wrong.get(f"option_{name}", "")
            if kind is FLAG:
                row["widget"] = "check"
            elif isinstance(kind, Choice):
                row |= {"widget": "select", "choices": kind.choices}
            elif isinstance(kind, Text):
                row |= {"widget": "area" if kind.limit > LINE_LIMIT else "text", "limit": kind.limit}
    rows = sorted(options.values(), key=lambda row: row["widget"] == "check")
    return {"options": rows, "is_open": any(row["typed"] or row["error"] for row in rows)}
