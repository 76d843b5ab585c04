"""Every leaf of every file of a bundle, each with other values; hashes and manifest are made again after each change."""

import copy
import hashlib
import json
import re
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from campaigns.campaign_file.campaign_settings import SETTINGS
from dialogues.models import Attempt, Dialogue
from dialogues.turn_taking import DialogueStatus, SubtaskStatus, TurnStatus
from participants.failures import FailureKind, Fault
from reading.kinds import Choice
from reviews.models import Review, ReviewChange
from rubrics.models import Criterion
from tests.verification.tampering import as_rows, document, files_of, rows_in
from verification.bundle_format import FILES
from verification.plans import AS_DRAWN, BY_HAND, DRAWN, LATER, MOVED
from verification.verifying import verify

HASH = re.compile("[0-9a-f]{64}")
MADE_AGAIN = ("files[].name", "files[].sha256", "files[].bytes", "files[].rows")
FAULTS = ["", *map(str, Fault)]
KINDS_OF_LINES = [
    "turn.accepted", "reply.done", "turn.failed", "turn.retried", "fault.booked", "subtask.closed", "dialogue.closed",
    "dialogue.returned", "dialogue.voided", "dialogue.restored",
]  # fmt: skip
STATES = {
    "dialogues.jsonl": {"status": list(DialogueStatus), "subtasks[].status": list(SubtaskStatus), "origin": list(Dialogue.Origin)},
    "turns.jsonl": {"status": list(TurnStatus)},
    "attempts.jsonl": {"outcome": list(Attempt.Outcome), "fault": FAULTS, "kind": ["", *FailureKind]},
    "ledger.jsonl": {
        "kind": KINDS_OF_LINES, "frame.type": KINDS_OF_LINES, "fault": FAULTS, "frame.fault": FAULTS,
        "frame.kind": list(FailureKind), "frame.status": [*DialogueStatus, *SubtaskStatus],
    },
    "reviews.jsonl": {"part": list(Review.Part)},
    "ratings.jsonl": {"part": list(Review.Part)},
    "changes.jsonl": {"kind": list(ReviewChange.Kind)},
    "assignments.jsonl": {"made_by": [AS_DRAWN, MOVED, LATER, DRAWN, BY_HAND]},
    "campaign.json": {
        "rubric.criteria[].kind": list(Criterion.Kind), "rubric.criteria[].scope": list(Criterion.Scope),
        "rubric.criteria[].better": list(Criterion.Better), "rule[].better": list(Criterion.Better),
        **{f"settings.{name}": list(one.kind.choices) for name, one in SETTINGS.items() if isinstance(one.kind, Choice)},
    },
    "manifest.json": {"names": ["teams", "aliases"]},
}  # fmt: skip
# Objects whose keys are the campaign's own: what stands under any of them is one field.
FREE = {
    "scenarios.jsonl": ("title", "instructions", "facts", "context"),
    "campaign.json": ("name", "settings.quota", "rubric.name", "rubric.criteria[].name", "rubric.criteria[].question"),
    "imported.jsonl": ("record",),
    "disputes.jsonl": ("criteria",),
}
FREE_WITHIN = "rubric.criteria[].points[].label"
# Rows of one file that say different things are told apart by this column.
SORTS = {"attempts.jsonl": "outcome", "ledger.jsonl": "kind"}


def leaves_of(value, path=()):
    """All values that hold no others, by their paths."""
    if value and isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves_of(one, (*path, key))
    else:
        yield path, value


def field_of(file, path):
    """What the list calls the leaf: places in lists are not told apart, nor keys of the campaign's own."""
    told = ""
    for key in path:
        told += "[]" if isinstance(key, int) else f".{key}" if told else key
        if told in FREE.get(file, ()) or told == FREE_WITHIN:
            return told
    return told


def other_values(file, told, value):
    states = STATES.get(file, {}).get(told)
    if states is not None:
        return [str(state) for state in states if state != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, None]
    if value is None:
        return [1, "x"]
    if isinstance(value, str):
        return [_other_text(value), None]
    return [["x"]] if value == [] else [{"x": 1}]


def _other_text(text):
    if HASH.fullmatch(text):
        return text[1:] + text[0] if len(set(text)) > 1 else 64 * "1"
    try:
        return (datetime.fromisoformat(text) + timedelta(hours=1)).isoformat()
    except ValueError:
        return text + "x"


def put(value, path, other):
    """A copy of the value with another leaf."""
    changed = copy.deepcopy(value)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return changed


class Bundle:
    """A bundle that is taken apart once, and put together again with one file changed."""

    def __init__(self, content, folder):
        self.files = files_of(content)
        self._path = folder / "changed.zip"
        self.parsed = {
            name: rows_in(content) if name.endswith(".jsonl") else [json.loads(content)]
            for name, content in self.files.items()
            if not name.endswith(".md")
        }
        self._listed = {
            name: _listing(name, content) for name, content in self.files.items() if name != "manifest.json"
        }

    def verifies(self, name, content):
        files = self.files | {name: content}
        if name != "manifest.json":
            listed = self._listed | {name: _listing(name, content)}
            manifest = self.parsed["manifest.json"][0] | {"files": [listed[one] for one in sorted(listed)]}
            files["manifest.json"] = document(manifest)
        with zipfile.ZipFile(self._path, "w") as archive:
            for one, content in files.items():
                archive.writestr(one, content)
        return verify(self._path).is_verified

    def with_leaf(self, name, at, path, other):
        changed = put(self.parsed[name][at], path, other)
        if not name.endswith(".jsonl"):
            return document(changed)
        lines = self.files[name].splitlines(keepends=True)
        lines[at] = as_rows([changed])
        return b"".join(lines)


def _listing(name, content):
    told = {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    return told | ({"rows": content.count(b"\n")} if name.endswith(".jsonl") else {})


def changes_in(bundle, *, is_sampled):
    """Each change: the file, the field as the list calls it, the new content of the file.

    Sampled, the first and the last of all leaves that are the same field are changed, and of states those of each state. What rows
    that say alike may depend on is how their dialogue ended, and what was noticed of the reply.
    """
    ended = {row["dialogue"]: row["status"] for row in bundle.parsed["dialogues.jsonl"]}
    noticed = {(row["dialogue"], row["turn"]): "".join(row["flags"]) for row in bundle.parsed["turns.jsonl"]}
    for file, rows in bundle.parsed.items():
        places = defaultdict(list)
        for at, row in enumerate(rows):
            for path, value in leaves_of(row):
                name = field_of(file, path)
                if file == "manifest.json" and name in MADE_AGAIN:
                    continue
                told = f"{name} ({row[SORTS[file]]})" if file in SORTS else name
                state = str(value) if name in STATES.get(file, ()) else ""
                if file == "vettings.jsonl":
                    state += ended[row["dialogue"]]
                elif file == "attempts.jsonl" and name == "reply[]":
                    state += noticed[row["dialogue"], row["turn"]]
                places[told, name, state].append((at, path, value))
        for (told, name, _), found in places.items():
            ends = {one[:2]: one for one in (found[0], found[-1])}
            for at, path, value in ends.values() if is_sampled else found:
                for other in other_values(file, name, value):
                    yield file, told, bundle.with_leaf(file, at, path, other)
    yield "README.md", "", bundle.files["README.md"] + b"x"


@dataclass
class Sweep:
    """By file the fields that were changed, and those of them of which a changed bundle verifies."""

    tried: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    verified: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def swept(bundle, *, is_sampled):
    sweep = Sweep()
    for file, told, content in changes_in(bundle, is_sampled=is_sampled):
        sweep.tried[file].add(told)
        if told not in sweep.verified[file] and bundle.verifies(file, content):
            sweep.verified[file].add(told)
    return sweep


def table_of(verified):
    """As docs/results-bundle.md has it, in the order of the files; rows that say different things have a line for each."""
    lines = ["| file | fields |", "|---|---|"]
    for file in (*FILES, "manifest.json"):
        of_sorts = defaultdict(list)
        for told in sorted(verified.get(file, ())):
            name, _, sort = told.removesuffix(")").partition(" (")
            of_sorts[sort].append(f"`{name}`" if name else "its text")
        for sort, fields in sorted(of_sorts.items()):
            lines.append(f"| `{file}`{sort and f', `{sort}`'} | {', '.join(fields)} |")
    return "\n".join(lines) + "\n"


def tables_of(sweeps):
    """What verifies in every bundle that has the field, and what verifies in one and not in another."""
    always, sometimes = defaultdict(set), defaultdict(set)
    for sweep in sweeps:
        for file, fields in sweep.verified.items():
            for told in fields:
                has_it = [one for one in sweeps if told in one.tried[file]]
                is_always = all(told in one.verified[file] for one in has_it)
                (always if is_always else sometimes)[file].add(told)
    return table_of(always), table_of(sometimes)
