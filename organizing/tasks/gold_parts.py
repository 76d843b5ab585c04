"""Gold that comes in two files, one per split: each is checked by itself, then they are one. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from reading.checking import Problems
from scoring.one_run import BadGold, read_gold
from scoring.task_types.contract import Gold, TaskType

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class JoinedGold:
    content: bytes
    development_ids: tuple[str, ...]


def joined_gold(
    task_type: TaskType, options: Mapping[str, Any], hidden: bytes, development: bytes, problems: Problems
) -> JoinedGold | None:
    """One gold of both files, whose development split are the items of the second; None after a note."""
    in_hidden = _read(task_type, options, hidden, "gold", problems)
    in_development = _read(task_type, options, development, "development", problems)
    if in_hidden is None or in_development is None:
        return None
    both = [name for name in in_development.items if name in in_hidden.items]
    if both:
        text = gettext_noop("“%(name)s” is in both files (%(n)s such items): each belongs to one split")
        problems.note("development", text, name=both[0], n=len(both))
    content = _joined(hidden, development)
    if content is None:
        problems.note("development", gettext_noop("is a list where the other file has lines, or the other way round"))
    return None if both or content is None else JoinedGold(content, tuple(in_development.items))


def _read(
    task_type: TaskType, options: Mapping[str, Any], content: bytes, place: str, problems: Problems
) -> Gold | None:
    try:
        return read_gold(task_type, content, options)
    except BadGold as bad:
        for problem in bad.problems:
            problems.add(problem.within(place))
        return None


def _joined(one: bytes, other: bytes) -> bytes | None:
    """Both were read as gold, so each is a list with something in it, or JSON Lines; the bytes of items stay as they came."""
    one, other = one.removeprefix(BOM).strip(), other.removeprefix(BOM).strip()
    if is_list(one) != is_list(other):
        return None
    if is_list(one):
        return one[:-1].rstrip() + b",\n" + other[1:].lstrip() + b"\n"
    return one + b"\n" + other + b"\n"


def is_list(content: bytes) -> bool:
    return content.removeprefix(BOM).lstrip()[:1] == b"["
