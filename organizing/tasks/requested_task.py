"""What a form or a program asks a task to be: its specification, and the contents of the files that it names."""

import binascii
import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.utils.translation import gettext_noop

from automatic_tasks.models import AutomaticTask
from automatic_tasks.task_file import TaskSpec
from organizing.tasks.form import refuse_local_options
from organizing.tasks.gold_parts import joined_gold
from reading.checking import Problems
from scoring.task_types import TASK_TYPES

# What may be uploaded: all items or the hidden ones, those with feedback, and sentences that do not count.
FILES = ("gold", "development", "noise")
ReadSpec = Callable[[set[str], Problems], TaskSpec]


@dataclass(frozen=True, slots=True)
class Asked:
    spec: TaskSpec
    contents: Mapping[str, bytes]

    def content_of(self, name: str) -> bytes:
        return self.contents[name]


def asked_for(task: AutomaticTask | None, read_spec: ReadSpec, uploads: Mapping[str, bytes]) -> Asked:
    """`read_spec` reads the specification, given which of `gold` and `noise` there are; a stored task keeps its files
    where none was uploaded. Errors: `BadFile` with the names of fields as places."""
    problems = Problems()
    contents = _contents(task, uploads)
    spec = read_spec(set(contents), problems)
    if spec.type:
        refuse_local_options(spec.options, task.options if task else {}, spec.type, problems)
    if task is not None and spec.type != task.type:
        problems.note("type", gettext_noop("cannot be changed; make a new task"))
    problems.refuse()
    if uploads.get("development"):
        asked = _with_parts(spec, uploads, contents, problems)
    else:
        asked = Asked(_with_kept_split(spec, task, has_new_gold=bool(uploads.get("gold"))), contents)
    problems.refuse()
    return asked


def _contents(task: AutomaticTask | None, uploads: Mapping[str, bytes]) -> dict[str, bytes]:
    stored = {"gold": task.gold, "noise": task.noise} if task else {}
    contents = {name: bytes(file.content) for name, file in stored.items() if file is not None}
    return contents | {name: uploads[name] for name in ("gold", "noise") if uploads.get(name)}


def _with_parts(spec: TaskSpec, uploads: Mapping[str, bytes], contents: dict[str, bytes], problems: Problems) -> Asked:
    """The gold of two files, whose split is theirs."""
    if not uploads.get("gold"):
        problems.note("gold", gettext_noop("is missing: upload the hidden items together with these"))
        return Asked(spec, contents)
    task_type = TASK_TYPES[spec.type]
    options = task_type.default_options() | dict(spec.options)
    joined = joined_gold(task_type, options, uploads["gold"], uploads["development"], problems)
    if joined is None:
        return Asked(spec, contents)
    defaults = {name: value for name, value in spec.defaults.items() if name != "development_share"}
    spec = replace(spec, development_ids=joined.development_ids, defaults=defaults)
    return Asked(spec, contents | {"gold": joined.content})


def _with_kept_split(spec: TaskSpec, task: AutomaticTask | None, *, has_new_gold: bool) -> TaskSpec:
    """A split that was drawn by the type's share stays, also where a later release has another share."""
    name = "development_share"
    if task is None or has_new_gold or name not in spec.defaults or name not in task.defaults:
        return spec
    defaults = {**spec.defaults, name: task.defaults[name]}
    return replace(spec, development_ids=tuple(task.development_ids), development_share=0.0, defaults=defaults)


N_SHOWN, LENGTH_SHOWN = 5, 300


def uploads_of(request: HttpRequest) -> dict[str, bytes]:
    """By name, without those that are empty or cannot be read."""
    found = {}
    for name in FILES:
        file = request.FILES.get(name)
        content = file.read() if file is not None else _shown_before(request.POST, name)
        if content:
            found[name] = content
    return found


def _shown_before(sent: Mapping[str, str], name: str) -> bytes:
    try:
        return b64decode(sent.get(f"content_{name}", ""), validate=True)
    except (binascii.Error, ValueError):
        return b""


def first_items(content: bytes) -> list[str]:
    """The first items of checked gold as they stand in its file, each cut to a line."""
    text = content.decode("utf-8-sig").strip()
    if text.startswith("["):
        items = json.loads(text)[:N_SHOWN]
        rows = [json.dumps(item, ensure_ascii=False) for item in items]
    else:
        rows = [line for line in text.splitlines() if line.strip()][:N_SHOWN]
    return [row if len(row) <= LENGTH_SHOWN else f"{row[:LENGTH_SHOWN]}…" for row in rows]
