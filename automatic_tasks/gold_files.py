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
    return _gold(task.gold_id, task.type, json.dumps(task.all_options, sort_keys=True))


@lru_cache(maxsize=8)
def _gold(file_id: int, type_name: str, options: str) -> Gold:
    content = bytes(StoredFile.objects.get(pk=file_id).content)
    # Errors are not cached: a gold that cannot be read now is read again at the next run.
    return read_gold(TASK_TYPES[type_name], content, json.loads(options))


def split_of(task: AutomaticTask, gold: Gold, split: str) -> Gold:
    return part_of(gold, split, task.development_ids)


def noise_of(file_id: int | None) -> list[str]:
    """The sentences of a stored noise file; none without one. Errors: `BadNoise` for a file that was never checked."""
    return _noise(file_id) if file_id is not None else []


@lru_cache(maxsize=8)
def _noise(file_id: int) -> list[str]:
    try:
        return noise_sentences(bytes(StoredFile.objects.get(pk=file_id).content))
    except BadFile as bad:
        raise BadNoise(bad.problems) from bad


def noise_sentences(content: bytes) -> list[str]:
    """The sentences of a noise file: JSON Lines with `content`. Errors: `BadFile`."""
    problems = Problems()
    sentences: list[Any] = [problems.field(row, "content", place, TEXT) for place, row in json_lines(content, problems)]
    problems.refuse()
    return sentences
