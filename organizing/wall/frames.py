"""What a wall's socket is told (docs/wire-protocol.md). Pure.

`wall.state` comes first and after every reconnect, `wall.changed` has whole rows that are new or different.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from organizing.wall.state import Change, Sections
from testing_console.events import encode

Needs = Sequence[Mapping[str, Any]]


def state(sections: Sections, *, at: datetime, titles: Mapping[str, str], needs: Needs | None) -> dict[str, Any]:
    """The whole wall. `titles` are those of scenarios by their keys; `needs` is None where they are not known yet."""
    return {
        "at": at.isoformat(),
        "sections": sections,
        "titles": dict(titles),
        "needs": None if needs is None else list(needs),
    }


def state_frame(state: Mapping[str, Any]) -> str:
    return encode({"type": "wall.state", **state})


def changed_frame(change: Change, at: datetime) -> str:
    return encode({"type": "wall.changed", "at": at.isoformat(), "rows": change.rows, "gone": change.gone})


def needs_frame(needs: Needs, at: datetime) -> str:
    return encode({"type": "wall.needs", "at": at.isoformat(), "needs": list(needs)})
