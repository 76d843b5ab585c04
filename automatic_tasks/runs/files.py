"""The files of runs as downloads: what was handed in, and an example for each task."""

import io
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404

from accounts.models import Person
from automatic_tasks.access import is_organizer
from automatic_tasks.actions import note_download
from automatic_tasks.models import Run, RunState
from automatic_tasks.service_runs import as_run_file
from campaigns.access import team_of
from campaigns.models import Campaign


@dataclass(frozen=True, slots=True)
class RunFile:
    content: bytes
    name: str


def file_for(person: Person, campaign: Campaign, run: Run, at: datetime) -> RunFile:
    """The file for who may see the run; that somebody else than its team took it is on record before they have it.

    Errors: `Http404` where there is none for this reader; `GoldChanged`, `BadGold`, `BadNoise` where the answers of a service
    cannot be told apart any more.
    """
    if run.file is not None:
        file = RunFile(bytes(run.file.content), run.file_name or "run.json")
    elif run.is_service and run.state == RunState.SCORED and is_organizer(person, campaign):
        file = RunFile(as_run_file(run), f"{run.name}.json")
    else:
        raise Http404
    if run.team != team_of(person, campaign):
        note_download(run=run, by=person, at=at)
    return file


def as_download(file: RunFile) -> FileResponse:
    return FileResponse(
        io.BytesIO(file.content), as_attachment=True, filename=file.name, content_type="application/octet-stream"
    )


def example_file(task_type: str) -> RunFile:
    """It is about items of its own, so it shows the format and tells nothing of any task's gold."""
    path = _path(task_type)
    return RunFile(path.read_bytes(), f"example-{task_type}{path.suffix}")


def example_gold_file(task_type: str) -> tuple[str, bytes]:
    """Name and content of the gold that the example run is about."""
    path = _path(task_type, "gold")
    return f"example-gold-{task_type}{path.suffix}", path.read_bytes()


def _path(task_type: str, stem: str = "run") -> Path:
    folder = Path(settings.BASE_DIR) / "examples" / "runs" / task_type
    return next(path for path in sorted(folder.iterdir()) if path.stem == stem)
