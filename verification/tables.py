"""Files of rows, read side by side: of each only the rows of the dialogue in hand are held. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, cast

from verification.archive import Archive
from verification.bundle_format import ADDED, COLUMNS, PAIR_COLUMNS, PAIRS, PLACE, RUN_COLUMNS, RUNS, as_line
from verification.findings import Findings, shown

MORE_COLUMNS: Mapping[str, tuple[str, ...]] = {RUNS: RUN_COLUMNS, PAIRS: PAIR_COLUMNS}

Object = dict[str, Any]
Line = tuple[int, Object]
BEGINNING = b'{"dialogue": "'


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> Object:
    """Of a key that is given twice one program takes the first value and the next the last: neither is what was published."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            break
        seen.add(key)
    raise ValueError(f"the key {shown(key)} appears twice in an object")


# One decoder: `json.loads` with an option makes one for each line.
_decoder = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object)
# The C function of one that counts no keys, without the look for spaces around the text: ten million objects would wait 5 s for it.
_scan = cast(Any, json.JSONDecoder(parse_constant=_refuse)).scan_once
# The columns of rows in millions that hold objects.
NESTED = {"ledger.jsonl": ("frame",), "reviews.jsonl": ("verdicts",), "changes.jsonl": ("before", "after")}


def parsed(content: bytes) -> Any:
    """The JSON of a line or document. Errors: `ValueError`."""
    try:
        return _decoder.decode(content.decode())
    except RecursionError as bad:
        raise ValueError("it is nested too deeply") from bad


def parsed_row(content: bytes) -> Any:
    """The JSON of a line that has no spaces around it, without looking for them. Errors: `ValueError`."""
    try:
        text = content.decode()
        value, end = _decoder.raw_decode(text)
    except RecursionError as bad:
        raise ValueError("it is nested too deeply") from bad
    if end != len(text):
        raise ValueError("something follows its end")
    return value


def lines_of(archive: Archive, file: str, findings: Findings) -> Iterator[Line]:
    """The rows of a file with the numbers of their lines; a line that is no row is noted and left out."""
    columns, added = MORE_COLUMNS.get(file) or COLUMNS[file], ADDED.get(file, ())
    older = columns[: len(columns) - len(added)]
    for number, content in enumerate(archive.lines(file), start=1):
        try:
            row = parsed_row(content)
        except ValueError as bad:
            findings.note(file, f"is no JSON: {shown(str(bad))}", line=number)
            continue
        if type(row) is dict and tuple(row) in (columns, older):
            for name in added:
                row.setdefault(name)
            yield number, row
        else:
            findings.note(file, f"does not have the columns {', '.join(columns)}", line=number)


class Table:
    """A file whose rows are sorted as dialogues.jsonl is. Its rows are given without what says which dialogue they are of.

    A million rows repeat that: it is compared as bytes, and what follows it is all that is parsed.
    """

    def __init__(self, archive: Archive, file: str, order: Mapping[str, int], findings: Findings) -> None:
        self.file = file
        self.n_rows = 0
        self._columns = archive.former_columns.get(file, COLUMNS[file])[len(PLACE) :]
        self._nested = NESTED.get(file, ())
        self._lines = enumerate(archive.lines(file), start=1)
        self._order = order
        self._findings = findings
        self._next = next(self._lines, None)
        self._seen = archive.seen[file]

    def of(self, dialogue: str, beginning: bytes) -> Sequence[Line]:
        """The rows of the dialogue that comes next, which begin as `beginning_of` says; those that belong to none are noted."""
        rows: list[Line] = []
        at = self._order[dialogue]
        while self._next is not None:
            number, content = self._next
            if content.startswith(beginning):
                row = self._own_row(number, b"{" + content[len(beginning) :])
            elif self._place(content) > at:
                break
            else:
                row = self._odd_row(number, content, at)
            if row is not None:
                rows.append((number, row))
            self._next = next(self._lines, None)
        self.n_rows += len(rows)
        return rows

    def check_end(self) -> None:
        """Notes what is left after the last dialogue."""
        while self._next is not None:
            self._odd_row(*self._next, len(self._order))
            self._next = next(self._lines, None)

    def _place(self, content: bytes) -> int:
        """The place of the dialogue that the line is of; -1 where it does not begin as rows do."""
        name = content[len(BEGINNING) :].partition(b'"')[0] if content.startswith(BEGINNING) else b""
        return self._order.get(name.decode(errors="replace"), -1)

    def _own_row(self, number: int, content: bytes) -> Object | None:
        """What millions of rows go through; whatever is odd about one is looked at again, and told."""
        try:
            text = content.decode()
            row, end = _scan(text, 0)
        except (ValueError, StopIteration, RecursionError):
            return self._row(number, content, self._columns)
        n_keys = len(self._columns)
        for name in self._nested:
            n_keys += _n_keys(row.get(name) if type(row) is dict else None)
        # As many colons follow a quote as there are keys: none is there twice. Some more may stand in a text, and the row is looked at again.
        if (
            end == len(text)
            and tuple(row) == self._columns
            and content.count(b'":') == n_keys
            and not self._seen.is_spaced
        ):
            return cast(Object, row)
        return self._row(number, content, self._columns)

    def _row(self, number: int, content: bytes, columns: Sequence[str]) -> Object | None:
        try:
            row, problem = parsed_row(content), ""
        except ValueError as bad:
            row, problem = None, f"is no JSON: {shown(str(bad))}"
        if row is not None and (type(row) is not dict or tuple(row) != columns):
            row, problem = None, f"does not have the columns {', '.join((*PLACE, *self._columns))}"
        if problem:
            self._note(number, problem)
        return row

    def _odd_row(self, number: int, content: bytes, at: int) -> Object | None:
        """A row that does not begin as those of the dialogue in hand; given where it is of that dialogue all the same."""
        row = self._row(number, content, (*PLACE, *self._columns))
        if row is None:
            return None
        name = row["dialogue"]
        place = self._order.get(name) if isinstance(name, str) else None
        if place is None:
            self._note(number, f"is of the dialogue {shown(name)}, which dialogues.jsonl does not have")
        elif place != at:
            self._note(number, f"stands behind its place: rows come in the order of the dialogues ({shown(name)})")
        else:
            self._note(number, f"says another tester, bot, scenario or repetition than dialogue {shown(name)} has")
        return {column: row[column] for column in self._columns} if place == at else None

    def _note(self, number: int, text: str) -> None:
        self._findings.note(self.file, text, line=number)


def _n_keys(value: Any) -> int:
    if type(value) is not dict:
        return 0
    n_keys = len(value)
    for one in value.values():
        n_keys += _n_keys(one)
    return n_keys


def beginning_of(dialogue: Object) -> bytes:
    """How every row of the dialogue begins, up to its own columns."""
    return as_line({name: dialogue[name] for name in PLACE}).removesuffix("}\n").encode() + b", "
