"""Dialogues with annotations in the format of NTCIR STC-3, read for dialogue quality and nugget detection."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from measures.automatic.distributions import BadDistribution, over_labels, popularity, uniform
from reading.checking import Problems, read_json, tables
from reading.findings import under
from reading.kinds import LIST, OBJECT, kind_of, shown
from scoring.task_types.contract import CheckedRun, Gold, Options, RunCheck, finished_gold

CRITERIA = ("A", "S", "E")
SCORES = ("2", "1", "0", "-1", "-2")
NUGGETS = {
    "customer": ("CNUG0", "CNUG", "CNUG*", "CNaN"),
    "helpdesk": ("HNUG", "HNUG*", "HNaN"),
}

Votes = list[float]
MakeDistribution = Callable[[Votes], list[float]]


def read_gold(content: bytes, item_of: Callable[[dict[str, Any], str, Problems], Any]) -> Gold:
    """A list of dialogues; `item_of` makes the gold item of one, noting what is wrong with it."""
    problems, seen = Problems(), dict[str, str]()
    items = {}
    rows = problems.read(read_json(content), "file", LIST) or []
    for place, row in tables(rows, "", problems):
        name = problems.identity(row, place, seen)
        item = item_of(row, place, problems)
        if name is not None:
            items[name] = item
    return finished_gold(items, problems, gettext_noop("holds no dialogue"))


def read_run(
    content: bytes,
    gold: Gold,
    options: Options,
    answer_of: Callable[[dict[str, Any], str, Any, Problems], Any],
) -> CheckedRun:
    """A list of predictions; unknown dialogues are skipped with a warning, missing ones counted or refused."""
    check = RunCheck(gold, options)
    rows = check.problems.read(read_json(content), "file", LIST) or []
    for place, row in tables(rows, "", check.problems):
        name = check.problems.identity(row, place, check.seen)
        unknown = gettext_noop("“%(name)s” is not a dialogue of this task and is left out")
        if name is not None and check.is_known(name, under(place, "id"), unknown):
            check.items[name] = answer_of(row, place, gold.items[name], check.problems)
    return check.finished("dialogue", gettext_noop("holds no dialogue of this task"))


def annotations_of(row: dict[str, Any], place: str, problems: Problems) -> list[tuple[str, dict[str, Any]]]:
    listed = problems.field(row, "annotations", place, LIST)
    if listed is not None and not listed:
        problems.note(under(place, "annotations"), gettext_noop("holds no annotation"))
    return list(tables(listed or [], under(place, "annotations"), problems))


def senders_of(row: dict[str, Any], place: str, problems: Problems) -> list[str]:
    """Who speaks in each turn."""
    senders = []
    turns = problems.field(row, "turns", place, LIST)
    if turns is not None and not turns:
        problems.note(under(place, "turns"), gettext_noop("holds no turn"))
    for turn_place, turn in tables(turns or [], under(place, "turns"), problems):
        sender = turn.get("sender")
        if not isinstance(sender, str) or sender not in NUGGETS:
            problems.note(
                f"{turn_place}.sender", gettext_noop("must be customer or helpdesk, not %(value)s"), value=shown(sender)
            )
        else:
            senders.append(sender)
    return senders


def vote(votes: Votes, label: Any, labels: Sequence[str], place: str, problems: Problems) -> None:
    """Counts one annotator's label."""
    name = str(label) if isinstance(label, str | int) and not isinstance(label, bool) else None
    if name not in labels:
        problems.note(
            place, gettext_noop("%(value)s is not one of %(labels)s"), value=shown(label), labels=", ".join(labels)
        )
    else:
        votes[labels.index(name)] += 1


def distribution(value: Any, labels: Sequence[str], place: str, problems: Problems) -> list[float] | None:
    """Probabilities in class order, normalised by their sum; missing labels are 0."""
    table = problems.read(value, place, OBJECT)
    if table is None:
        return None
    n_before = len(problems)
    for label, weight in table.items():
        if label not in labels:
            problems.note(under(place, label), gettext_noop("is not one of %(labels)s"), labels=", ".join(labels))
        elif isinstance(weight, bool) or not isinstance(weight, int | float):
            problems.note(under(place, label), gettext_noop("must be a number, not %(kind)s"), kind=kind_of(weight))
        elif not 0 <= weight <= 1e12:
            problems.note(
                under(place, label), gettext_noop("must be a probability, not %(value)s"), value=shown(weight)
            )
    if len(problems) > n_before:
        return None
    try:
        return over_labels(table, labels)
    except BadDistribution:
        problems.note(place, gettext_noop("has no positive probability"))
        return None


def baselines(answer_of: Callable[[Any, MakeDistribution], dict[str, Any]]) -> dict[str, Callable[[Gold], bytes]]:
    """The run files of both baselines; `answer_of` makes the answer for a gold item out of its votes."""

    def run_file(make: MakeDistribution) -> Callable[[Gold], bytes]:
        def content(gold: Gold) -> bytes:
            rows = [{"id": name} | answer_of(item, make) for name, item in gold.items.items()]
            return json.dumps(rows, ensure_ascii=False).encode()

        return content

    return {"uniform": run_file(lambda votes: uniform(len(votes))), "popularity": run_file(popularity)}
