"""What one load of a campaign file changed, and what it could not change."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext_noop

from scoring.checking import Problems
from scoring.strict_json import are_same


class LoadReport(Problems):
    """The problems with their places, and one sentence per change; if there is a problem, nothing of the load is stored."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[str] = []

    def add_change(self, change: str) -> None:
        self.changes.append(change)

    def note_begun(self, place: str) -> None:
        self.note(
            place, gettext_noop("cannot be changed since dialogues were opened; make a new campaign for a new rule")
        )

    def note_gone(self, place: str) -> None:
        self.note(place, gettext_noop("is gone from the file, but dialogues or records need it; put it back"))

    def apply(self, row: Model, wanted: Mapping[str, Any], what: str) -> None:
        """Stores the values that differ and names them."""
        changed = [name for name, value in wanted.items() if not are_same(getattr(row, name), value)]
        for name in changed:
            setattr(row, name, wanted[name])
        if changed:
            row.save(update_fields=changed)
            self.add_change(f"{what}: {', '.join(changed)} changed")
