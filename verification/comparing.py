"""Compares what stands in a bundle with what was recomputed, byte for byte, and names what differs. Pure."""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from measures.cell_statistics import NamedCell, bundled_statistics
from measures.live import LiveSums
from measures.ranking import RankingKey
from verification.boards import columns_of
from verification.bundle_format import LEADERBOARD, RECORDS, STATISTICS, as_document, as_line
from verification.findings import Findings, shown
from verification.tables import Object, parsed

Identity = tuple[str, ...]


TOO_MUCH = "appears twice, or is no record: nothing else in the bundle gives it"


class RecordLines:
    """records.jsonl, line by line beside the recomputed ones."""

    def __init__(self, lines: Iterator[bytes], findings: Findings) -> None:
        self._lines = enumerate(lines, start=1)
        self._findings = findings
        self._next = next(self._lines, None)
        self.n_equal = 0

    def compare(self, record: Mapping[str, Any], is_behind: Callable[[Mapping[str, Any]], bool]) -> None:
        """The next line must be the record's. `is_behind` says of another one whether its place was before this."""
        expected = as_line(record).rstrip("\n").encode()
        while self._next is not None:
            number, content = self._next
            if content == expected:
                self.n_equal += 1
                self._advance()
                return
            if (actual := self._object(number, content)) is not None:
                if identity_of(actual) == identity_of(record):
                    self._note_difference(number, record, actual)
                    self._advance()
                    return
                if not is_behind(actual):
                    break
                self._findings.note(RECORDS, TOO_MUCH, line=number)
            self._advance()
        place = self._next[0] if self._next else None
        self._findings.note(RECORDS, f"the record {_told(record)} is missing here", line=place)

    def check_end(self) -> None:
        while self._next is not None:
            self._findings.note(RECORDS, TOO_MUCH, line=self._next[0])
            self._advance()

    def _advance(self) -> None:
        self._next = next(self._lines, None)

    def _object(self, number: int, content: bytes) -> dict[str, Any] | None:
        try:
            actual = parsed(content)
        except ValueError:
            actual = None
        if isinstance(actual, dict):
            return actual
        self._findings.note(RECORDS, "is no record", line=number)
        return None

    def _note_difference(self, number: int, record: Mapping[str, Any], actual: Mapping[str, Any]) -> None:
        differing = next(differences(record, actual), None)
        if differing is None:
            text = f"the record {_told(record)} is written otherwise than records are"
            self._findings.note(RECORDS, text, line=number)
            return
        where, then, now = differing
        text = f"the record {_told(record)} says {where} is {shown(now)}; recomputed it is {shown(then)}"
        self._findings.note(RECORDS, text, line=number, figure=where)


def identity_of(record: Mapping[str, Any]) -> Identity:
    """What tells records apart; a bot that a line does not name is called as its team."""
    bot = record.get("bot") or record.get("team")
    return tuple(
        shown(one)
        for one in (
            record.get("team"),
            bot,
            record.get("scenario"),
            record.get("reviewer"),
            record.get("dialogue") or "",
        )
    )


def _told(record: Mapping[str, Any]) -> str:
    where = (
        f"dialogue {shown(record['dialogue'])}"
        if record.get("dialogue")
        else f"scenario {shown(record.get('scenario'))}"
    )
    return f"of {shown(record.get('reviewer'))} on {where}"


def compare_board(
    content: bytes, recomputed: Mapping[str, Any], findings: Findings, *, file: str = LEADERBOARD
) -> None:
    if content == as_document(recomputed):
        return
    try:
        actual = parsed(content)
    except ValueError as bad:
        findings.note(file, f"is no JSON: {shown(str(bad))}")
        return
    n_before = len(findings)
    for where, then, now in differences(recomputed, actual):
        text = f"{_with_bot(where, recomputed)} is {shown(now)}; recomputed it is {shown(then)}"
        findings.note(file, text, figure=where)
    if len(findings) == n_before:
        findings.note(file, "says the recomputed figures, but is not written as they are")


def _with_bot(where: str, board: Mapping[str, Any]) -> str:
    """The place of a figure, with the bot that it is of."""
    part, _, rest = where.partition("[")
    number = rest.partition("]")[0]
    if part in ("rows", "unranked") and number.isdecimal() and int(number) < len(board[part]):
        return f"{where} ({shown(board[part][int(number)]['bot'])})"
    return where


MISSING = "missing"


def differences(expected: Any, actual: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ: the place, what was expected, and what is there. `true` is not `1`, `1` is not `1.0`."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key in dict.fromkeys((*expected, *actual)):
            inner = f"{where}.{shown(key)}" if where else shown(key)
            yield from differences(expected.get(key, MISSING), actual.get(key, MISSING), inner)
    elif isinstance(expected, list) and isinstance(actual, list):
        for index, (one, other) in enumerate(zip_longest(expected, actual, fillvalue=MISSING)):
            yield from differences(one, other, f"{where}[{index}]")
    elif type(expected) is not type(actual) or expected != actual:
        yield where, expected, actual


# Sums in another order, as other processors add them, differ in the last digits of sixteen.
TOLERANCE = 1e-9


def drawn_again(campaign: Object, cells: Mapping[NamedCell, LiveSums]) -> dict[str, Any]:
    """Errors: `ImportError` where numpy and scipy are missing."""
    keys = [RankingKey(key["key"], key["better"]) for key in columns_of(campaign)]
    rule = [RankingKey(key["key"], key["better"]) for key in campaign["rule"]]
    return bundled_statistics(cells, keys, rule)


def compare_statistics(content: bytes, drawn: Mapping[str, Any], findings: Findings) -> int:
    """How many figures were compared; 0 where the bundle holds none, since they were not computed when it was written."""
    try:
        told = parsed(content)
    except ValueError as bad:
        findings.note(STATISTICS, f"is no JSON: {shown(str(bad))}")
        return 0
    actual = told.get("statistics") if isinstance(told, dict) else told
    if actual is None:
        return 0
    if not isinstance(actual, dict):
        findings.note(STATISTICS, "holds no statistics")
        return 0
    # Another numpy may draw otherwise; that is told with what differs, and is no difference itself.
    theirs, ours = actual.get("numpy"), drawn["numpy"]
    hint = "" if theirs == ours else f" (drawn with numpy {shown(theirs)}; here it is {ours})"
    for where, then, now in differences(drawn, {**actual, "numpy": ours}):
        if not _are_close(then, now):
            text = f"{where} is {shown(now)}; drawn again it is {shown(then)}{hint}"
            findings.note(STATISTICS, text, figure=where)
    return sum(1 for _ in _numbers(drawn))


def _are_close(one: Any, other: Any) -> bool:
    are_floats = isinstance(one, float) and isinstance(other, float)
    return are_floats and math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _numbers(value: Any) -> Iterator[float]:
    match value:
        case dict():
            for one in value.values():
                yield from _numbers(one)
        case list():
            for one in value:
                yield from _numbers(one)
        case float() | int():
            yield value
