"""Turns the organizers' distributions into the gold files of the task types. Pure: bytes in, bytes out.

Errors of every importer: `BadFile` naming all problems of the file.
"""

import json
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import Problems, json_lines, read_json, tables
from reading.findings import under
from reading.kinds import OBJECT, TEXT, shown
from scoring import ntcir_files
from scoring.mobilecs_files import annotated_dialogue, dialogues_of, goal_dialogue
from scoring.task_types.dialogue_quality import gold_item as quality_votes
from scoring.task_types.nugget_detection import gold_item as nugget_votes


def mobilecs(content: bytes) -> bytes:
    """Annotated MobileCS dialogues, checked, with what both tracks read and nothing else."""
    problems = Problems()
    kept = []
    for place, _name, row in dialogues_of(content, problems):
        annotated_dialogue(row, place, problems)
        kept.append({"id": row["id"], "content": row.get("content")})
    problems.refuse()
    return _json(kept)


def mobilecs_track2(content: bytes) -> bytes:
    """The dialogues that Track 2 uses, the user speaking first, each with its local KB and goal."""
    problems = Problems()
    kept = []
    for place, _name, row in dialogues_of(content, problems):
        dialogue = goal_dialogue(row, place, problems)
        if dialogue is not None:
            turns = [
                {"用户": t.user, "客服": t.reply, "用户意图": t.user_intent, "客服意图": t.service_intent}
                for t in dialogue.turns
            ]
            kept.append({"id": row["id"], "KB": dialogue.kb, "goal": dialogue.goal, "content": turns})
    if not kept and not problems:
        problems.note("file", gettext_noop("holds no dialogue with all intents and a steady order of speakers"))
    problems.refuse()
    return _json(kept)


def ntcir(content: bytes) -> bytes:
    """Dialogues with annotations of NTCIR STC-3, checked for both subtasks."""

    def both(row: dict[str, Any], place: str, problems: Problems) -> dict[str, Any]:
        quality_votes(row, place, problems)
        nugget_votes(row, place, problems)
        return {name: row.get(name) for name in ("id", "turns", "annotations")}

    return _json(list(ntcir_files.read_gold(content, both).items.values()))


def smp2018_task1(content: bytes) -> bytes:
    """Sentences of SMP Task 1: `{"0": {"query": "…", "label": "…"}, …}`, or a list or JSON Lines of such objects.

    `content` stands for `query` where that is the key; a sentence without an id gets its running number.
    """
    problems, seen = Problems(), dict[str, str]()
    kept = []
    for number, (place, key, row) in enumerate(_sentences(content, problems), start=1):
        name = problems.identity({"id": row.get("id", key if key is not None else number)}, place, seen)
        sentence = problems.field(row, "query" if "query" in row else "content", place, TEXT)
        label = problems.field(row, "label", place, TEXT)
        if name is not None:
            kept.append(
                {"id": row.get("id", int(name) if name.isdecimal() else name), "content": sentence, "label": label}
            )
    if not kept and not problems:
        problems.note("file", gettext_noop("holds no sentence"))
    problems.refuse()
    return _json_lines(kept)


def smp2018_noise(content: bytes) -> bytes:
    """Noise for a service run: a text file with one sentence per line, or sentences as in SMP Task 1, labels left out."""
    problems = Problems()
    text = content.decode("utf-8", "replace").lstrip("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        rows = [(place, row) for place, _key, row in _sentences(content, problems)]
        sentences = [problems.field(row, "query" if "query" in row else "content", place, TEXT) for place, row in rows]
    else:
        sentences = [line.strip() for line in text.splitlines() if line.strip()]
    if not sentences and not problems:
        problems.note("file", gettext_noop("holds no sentence"))
    problems.refuse()
    return _json_lines([{"id": number, "content": sentence} for number, sentence in enumerate(sentences, start=1)])


def _sentences(content: bytes, problems: Problems) -> list[tuple[str, str | None, dict[str, Any]]]:
    """Place, key and object of each sentence, however the file lays them out."""
    lines = [line for line in content.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}") for line in lines):
        return [(place, None, row) for place, row in json_lines(content, problems)]
    parsed = read_json(content)
    if isinstance(parsed, list):
        return [(place, None, row) for place, row in tables(parsed, "", problems)]
    if isinstance(parsed, dict):
        found = [(under("", key), key, problems.read(value, key, OBJECT)) for key, value in parsed.items()]
        return [(place, key, row) for place, key, row in found if row is not None]
    problems.note("file", gettext_noop("must be an object or a list, not %(value)s"), value=shown(parsed))
    return []


def _json(rows: list[Any]) -> bytes:
    return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()


def _json_lines(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


IMPORTERS: dict[str, Callable[[bytes], bytes]] = {
    "mobilecs": mobilecs,
    "mobilecs-track2": mobilecs_track2,
    "ntcir": ntcir,
    "smp2018-task1": smp2018_task1,
    "smp2018-noise": smp2018_noise,
}
