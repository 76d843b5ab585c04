"""What a run that is not scored yet waits for: since when, for whom, until when."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from automatic_tasks.models import Run, RunState
from automatic_tasks.queue import has_worker


@dataclass(frozen=True, slots=True)
class RunWait:
    """`since` is missing where a run waits to be scored again: nothing tells since when."""

    since: datetime | None
    who: str
    until: str


class QueueSeen:
    """The queue at one moment, read at most once whatever the number of runs that ask."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def wait_of(self, run: Run) -> RunWait | None:
        """In the reader's language; None for a run that is over."""
        if run.is_over:
            return None
        if run.state == RunState.RUNNING and run not in self._due:
            return RunWait(
                run.started_at,
                _("for its worker"),
                _("until it is scored; if the worker stops, until another takes it up"),
            )
        since = None if run.scores.all() else run.submitted_at
        if not self._has_worker:
            return RunWait(since, _("for an organizer"), _("until a worker is started"))
        return RunWait(since, _("for a worker"), _until_taken(self._n_before(run)))

    def _n_before(self, run: Run) -> int:
        """Runs of files and of services are taken by different workers."""
        place = (run.submitted_at, run.number)
        of_lane = (one for one in self._due if one.is_service == run.is_service)
        return sum((one.submitted_at, one.number) < place for one in of_lane)

    @cached_property
    def _has_worker(self) -> bool:
        return has_worker(self._at)

    @cached_property
    def _due(self) -> list[Run]:
        return list(Run.objects.due(self._at).only("submitted_at", "number", "url"))


def _until_taken(n_before: int) -> str:
    if not n_before:
        return _("until a worker is free: it is the next")
    text = ngettext(
        "until a worker is free: %(n)d run is before it", "until a worker is free: %(n)d runs are before it", n_before
    )
    return text % {"n": n_before}
