"""Gold of tasks as checked items, read once and kept while the file and the options stay the same."""

import json
from functools import lru_cache
from typing import Any

from automatic_tasks.models import AutomaticTask, StoredFile
from reading.checking import BadContent, BadFile, Problems, json_lines
from reading.kinds import TEXT
from scoring.one_run import read_gold
from scoring.splits import part_of
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold


class BadNoise(BadContent):
    """The organizer's noise."""


def gold_of(task: AutomaticTask) -> Gold:
    """All items of the task's gold. Errors: `BadGold` for a file that was never checked."""
    return _gold(_digest(task.gold_id), task.type, json.dumps(task.all_options, sort_keys=True))


def _digest(file_id: int) -> str:
    """What a file is kept by: SQLite gives the number of one that was rolled back to the next."""
    return StoredFile.objects.values_list("sha256", flat=True).get(pk=file_id)


@lru_cache(maxsize=8)
def _gold(sha256: str, type_name: str, options: str) -> Gold:
    # Errors are not cached: a gold that cannot be read now is read again at the next run.
    return read_gold(TASK_TYPES[type_name], _content(sha256), json.loads(options))


def _content(sha256: str) -> bytes:
    return bytes(StoredFile.objects.get(sha256=sha256).content)


def split_of(task: AutomaticTask, gold: Gold, split: str) -> Gold:
    return part_of(gold, split, task.development_ids)


def noise_of(file_id: int | None) -> list[str]:
    """The sentences of a stored noise file; none without one. Errors: `BadNoise` for a file that was never checked."""
    return _noise(_digest(file_id)) if file_id is not None else []


@lru_cache(maxsize=8)
def _noise(sha256: str) -> list[str]:
    try:
        return noise_sentences(_content(sha256))
    except BadFile as bad:
        raise BadNoise(bad.problems) from bad


def noise_sentences(content: bytes) -> list[str]:
    """The sentences of a noise file: JSON Lines with `content`. Errors: `BadFile`."""
    problems = Problems()
    sentences: list[Any] = [problems.field(row, "content", place, TEXT) for place, row in json_lines(content, problems)]
    problems.refuse()
    return sentences
