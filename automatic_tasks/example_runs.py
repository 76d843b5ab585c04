"""A small run of each task type, as it is handed in: those that are shipped in `examples/runs/`."""

from pathlib import Path

from django.conf import settings

from automatic_tasks.run_files import RunFile


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
