"""What one load of a campaign file changed, what it left alone, and what it could not change."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext_noop

from campaigns.calendar import NotNow, moment_in_zone
from reading.checking import Problems
from reading.findings import Finding
from reading.strict_json import are_same


class LoadReport(Problems):
    """The problems with their places, and one sentence per change; if there is a problem, nothing of the load is stored.

    A campaign file is compared first, without a lock, and written by `store` only where nobody asked for a preview.

    `prunes`: what came from a file and is no longer in it leaves. `takes_over`: rows that the file names become the file's,
    also where they were made in the browser.
    """

    def __init__(self, *, prunes: bool = False, takes_over: bool = False) -> None:
        super().__init__()
        self.is_over = False
        self.prunes, self.takes_over = prunes, takes_over
        self.changed: list[Finding] = []
        self.left_alone: list[Finding] = []
        self.warnings: list[Finding] = []
        self._writes: list[Callable[[], object]] = []

    @property
    def changes(self) -> list[str]:
        """In English, for logs and programs."""
        return [change.in_english for change in self.changed]

    def add_change(self, text: str, **values: Any) -> None:
        self.changed.append(Finding("", text, values))

    def leave_alone(self, text: str, **values: Any) -> None:
        self.left_alone.append(Finding("", text, values))

    def warn(self, text: str, **values: Any) -> None:
        self.warnings.append(Finding("", text, values))

    def later(self, write: Callable[[], object]) -> None:
        """A write of what was compared; the order of writes is that of comparing."""
        self._writes.append(write)

    def store(self) -> None:
        """Writes what was compared, inside the caller's transaction."""
        for write in self._writes:
            write()

    def note_begun(self, place: str) -> None:
        self.note(
            place, gettext_noop("cannot be changed since dialogues were opened; make a new campaign for a new rule")
        )

    def note_gone(self, place: str) -> None:
        self.note(place, gettext_noop("is gone from the file, but dialogues or records need it; put it back"))

    def note_over(self, over: NotNow) -> None:
        """The campaign is over, and the file does not extend it."""
        if not self.is_over:
            text = gettext_noop("was %(when)s: what is over is read-only; extend the campaign first")
            self.note("[calendar] ends_at", text, when=moment_in_zone(over.moment, over.zone))
        self.is_over = True

    def compare(self, row: Model, wanted: Mapping[str, Any], text: str, **values: Any) -> None:
        """Names the values that differ as `%(changed)s`, gives them to the row, and stores them later."""
        changed = [name for name, value in wanted.items() if not are_same(getattr(row, name), value)]
        for name in changed:
            setattr(row, name, wanted[name])
        if changed:
            self.later(partial(row.save, update_fields=changed))
            self.add_change(text, changed=", ".join(changed), **values)

    def apply(self, row: Model, wanted: Mapping[str, Any], text: str, **values: Any) -> None:
        """The same, stored at once."""
        self.compare(row, wanted, text, **values)
        self.store()
        self._writes.clear()
