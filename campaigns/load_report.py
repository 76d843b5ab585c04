"""What one load of a campaign file changed, and what it could not change."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from campaigns.table_reader import Problem


class LoadReport:
    """One sentence per change, and the problems with their places; if there is a problem, nothing of the load is stored."""

    def __init__(self) -> None:
        self.changes: list[str] = []
        self.problems: list[Problem] = []

    def tell(self, change: str) -> None:
        self.changes.append(change)

    def note(self, place: str, message: str) -> None:
        self.problems.append(Problem(place, message))

    def refuse(self, place: str, what: str) -> None:
        self.note(place, f"{what} has begun and cannot be changed; make a new campaign for a new rule")

    def apply(self, row: Model, wanted: Mapping[str, Any], what: str) -> None:
        """Stores the values that differ and names them."""
        changed = [name for name, value in wanted.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, wanted[name])
        if changed:
            row.save(update_fields=changed)
            self.tell(f"{what}: {', '.join(changed)} changed")
