"""Frames of a bundle: tidy tables whose columns are those of `analysis/columns.py`, in time and memory in proportion to the bundle.

Bundles come from outside. A value that its column cannot have ends the reading in a sentence that names file and line.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import islice
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from analysis.columns import FRAMES, OF_CRITERION, Column, FrameColumns
from analysis.sources import MOST_BYTES, Source, opened
from leaderboards.table_files.column_kinds import Flag, Number, Text, Time, Whole
from leaderboards.table_files.text_files import JOINED_BY
from measures.live import Record, charged_turns, completion, record_of
from verification.archive import Archive
from verification.boards import scales_of
from verification.bundle_format import CAMPAIGN, PAIRS, PLACE, RECORDS, STATISTICS
from verification.findings import BAD_VALUES, Findings, Unreadable, shown
from verification.tables import Object, lines_of, parsed, parsed_row

__all__ = ["Frames", "Unreadable", "frames"]

ROWS_AT_ONCE = 10_000
# Each is a column of every record.
MOST_SCALES = 100
LARGEST_WHOLE = 1 << 63
Values = Sequence[Any]
Rows = Iterable[tuple[int, Values]]


@dataclass(frozen=True)
class Frames:
    """The frames of one bundle (docs/codebook.md). `campaign` is its campaign.json: rule, settings, rubric; `statistics` how sure its
    leaderboard is, where that was computed.
    """

    campaign: Mapping[str, Any]
    statistics: Mapping[str, Any] | None
    bots: pd.DataFrame
    scenarios: pd.DataFrame
    assignments: pd.DataFrame
    dialogues: pd.DataFrame
    subtasks: pd.DataFrame
    turns: pd.DataFrame
    attempts: pd.DataFrame
    ratings: pd.DataFrame
    records: pd.DataFrame
    pairs: pd.DataFrame

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every frame by its name."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name in FRAMES}


def frames(source: Source, *, most_bytes: int = MOST_BYTES) -> Frames:
    """The frames of a bundle: a zip, a folder, or the address of a campaign on a site. Errors: `Unreadable`, in a sentence.

    Digests are not compared: `huace-verify.pyz` says whether the bundle is what it says.
    """
    with opened(source, most_bytes) as archive:
        return _Reading(archive).frames()


class _Reading:
    """One bundle while it is read."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def frames(self) -> Frames:
        tables = {name: self._frame(name) for name in FRAMES if name not in ("bots", "records")}
        records = self._records(tables["dialogues"])
        try:
            statistics = self._document(STATISTICS)["statistics"]
        except BAD_VALUES as bad:
            raise _odd(STATISTICS) from bad
        return Frames(campaign=self._campaign, statistics=statistics, bots=self._bots, records=records, **tables)

    def _document(self, name: str) -> Any:
        return parsed(self._archive.document(name))

    @cached_property
    def _campaign(self) -> Any:
        try:
            campaign = self._document(CAMPAIGN)
            scales = {str(one["key"]): one["better"] for one in scales_of(campaign)}
            _ = [campaign["rubric"]["asks_for_verdicts"], campaign["settings"]["reviewed_by"]]
            _ = [(key["key"], key["better"]) for key in campaign["rule"]]
        except BAD_VALUES as bad:
            raise _odd(CAMPAIGN) from bad
        if len(scales) > MOST_SCALES:
            raise Unreadable(f"{CAMPAIGN} has {len(scales)} scales, more than {MOST_SCALES}.")
        if taken := scales.keys() & FRAMES["records"].columns.keys():
            raise Unreadable(f"{CAMPAIGN} has the scale {shown(min(taken))}, which is a column of every record.")
        return campaign

    @cached_property
    def _bots(self) -> pd.DataFrame:
        return self._frame("bots")

    def _frame(self, name: str) -> pd.DataFrame:
        described = FRAMES[name]
        told = TOLD.get(name) or _plain(described)

        def rows() -> Iterator[tuple[int, Values]]:
            for line, row in self._rows(described.file):
                with _one_line(described.file, line):
                    made = list(told(row))
                yield from ((line, values) for values in made)

        return self._made(described, described.columns, rows())

    def _made(self, described: FrameColumns, columns: Mapping[str, Column], rows: Rows) -> pd.DataFrame:
        gathered = [_Gathered(name, column, described.file, self._allowed(column)) for name, column in columns.items()]
        remaining = iter(rows)
        while some := list(islice(remaining, ROWS_AT_ONCE)):
            lines = [line for line, _ in some]
            for one, values in zip(gathered, zip(*(values for _, values in some), strict=True), strict=True):
                one.add(lines, values)
        made = pd.DataFrame({one.name: one.series() for one in gathered})
        if described.key and (twice := made.duplicated([*described.key])).any():
            where = made.loc[twice, [*described.key]].iloc[0]
            raise Unreadable(f"{described.file} has the row {shown(', '.join(map(str, where)))} twice.")
        return made

    def _allowed(self, column: Column) -> Sequence[str]:
        """The values that there are, where they are known before a row is read."""
        return list(self._bots["bot"]) if column.refers_to == "bots.bot" else column.one_of

    def _rows(self, file: str) -> Iterator[tuple[int, Object]]:
        if file == PAIRS and PAIRS not in self._archive.files:
            # Nobody compared systems in pairs.
            return
        findings = Findings()
        for line, row in lines_of(self._archive, file, findings):
            if len(findings):
                break
            yield line, row
        for finding in findings:
            raise Unreadable(f"{finding}.")

    def _records(self, dialogues: pd.DataFrame) -> pd.DataFrame:
        described, scales = FRAMES["records"], [one["key"] for one in scales_of(self._campaign)]
        # Under the manifest's name for the format before, every record weighs one.
        told = _TellingRecords(scales, has_weights=not self._archive.former_columns)
        imported, sharing = list[tuple[int, str, Object]](), Counter[tuple[str, str, str]]()
        for line, row in self._rows("imported.jsonl"):
            with _one_line("imported.jsonl", line):
                sharing[_of_dialogue(row["bot"], row["record"])] += 1
            imported.append((line, row["bot"], row["record"]))
        n_live = sum(1 for _ in self._archive.lines(RECORDS)) - len(imported)
        bot_of = dict(zip(dialogues["dialogue"], dialogues["bot"], strict=True))

        def rows() -> Iterator[tuple[int, Values]]:
            for line, content in enumerate(islice(self._archive.lines(RECORDS), max(0, n_live)), start=1):
                with _one_line(RECORDS, line):
                    record = parsed_row(content)
                    values = told.live(record, bot_of[record["dialogue"]])
                yield line, values
            for line, bot, record in imported:
                with _one_line("imported.jsonl", line):
                    values = told.imported(record, bot, sharing[_of_dialogue(bot, record)])
                yield n_live + line, values

        return self._made(described, {**described.columns, **dict.fromkeys(scales, OF_CRITERION)}, rows())


class _one_line:
    """What is read within is of that line: a value that does not fit is told with it."""

    def __init__(self, file: str, line: int) -> None:
        self._file, self._line = file, line

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, bad: BaseException | None, trace: Any) -> None:
        if isinstance(bad, BAD_VALUES):
            raise _odd(f"{self._file}, line {self._line}") from bad


def _odd(where: str) -> Unreadable:
    return Unreadable(f"{where}: what it says does not fit the format of bundles.")


class _TellingRecords:
    """Rows of `records`: lines of records.jsonl, then the imported ones."""

    def __init__(self, scales: Sequence[str], *, has_weights: bool) -> None:
        self._scales, self._has_weights = scales, has_weights

    def live(self, line: Object, bot: str) -> Values:
        weight = float(line["weight"]) if self._has_weights else 1.0
        return [
            line["dialogue"],
            bot,
            line["scenario"],
            line["reviewer"],
            False,
            weight,
            *self._figures(record_of(line)),
        ]

    def imported(self, line: Object, bot: str, n_sharing: int) -> Values:
        """`n_sharing` lines are of its dialogue: those without a weight share it."""
        record = record_of(line, n_sharing)
        weight = float(record.weight) if self._has_weights else 1.0
        return [line.get("dialogue"), bot, record.scenario, record.reviewer, True, weight, *self._figures(record)]

    def _figures(self, record: Record) -> Values:
        own = (record.ratings.get(key) for key in self._scales)
        scores = [float(score) if isinstance(score, int | float) else None for score in own]
        return [completion(record.subtasks), charged_turns(record.subtasks, record.dialogue_cap), *scores]


def _of_dialogue(bot: str, record: Object) -> tuple[str, str, str]:
    return bot, record["scenario"], record.get("dialogue", "")


def _plain(described: FrameColumns) -> Callable[[Object], Iterable[Values]]:
    """The columns of a row as they stand there; a list of texts is one text."""

    def told(row: Object) -> Iterable[Values]:
        yield [_joined(name, row[name]) if name in JOINED_BY else row[name] for name in described.columns]

    return told


def _joined(name: str, value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return JOINED_BY[name].join(value)
    return value


def _scenario(row: Object) -> Iterable[Values]:
    kinds, title = "+".join(one["kind"] for one in row["subtasks"]), row["title"]
    yield [row["scenario"], row["position"], title["zh"], title["en"], row["opening"], row["skill"], kinds]


def _subtasks(row: Object) -> Iterable[Values]:
    place = [row[name] for name in PLACE]
    for index, one in enumerate(row["subtasks"], start=1):
        yield [*place, index, one["kind"], one["status"], one["turns"], one["cap"]]


def _assignment(row: Object) -> Iterable[Values]:
    told = [row[name] for name in FRAMES["assignments"].columns if name != "n_dialogues"]
    yield [*told, len(row["dialogues"])]


TOLD = {"scenarios": _scenario, "subtasks": _subtasks, "assignments": _assignment}
FITTING = {Text: str, Time: str, Whole: int, Flag: bool}
DTYPES = {Text: "str", Whole: "Int64", Flag: "boolean", Number: "float64"}


class _Gathered:
    """One column while rows come in; few names that repeat are kept once, all others as the column's own type."""

    def __init__(self, name: str, column: Column, file: str, allowed: Sequence[str]) -> None:
        self.name = name
        self._column = column
        self._file = file
        self._known = {value: code for code, value in enumerate(allowed)}
        self._is_closed = bool(column.one_of) or column.refers_to == "bots.bot"
        self._pieces: list[Any] = []

    def add(self, lines: Sequence[int], values: Values) -> None:
        """Errors: `Unreadable`, with the line of the first value that the column cannot have."""
        try:
            self._pieces.append(self._array(values))
        except (ValueError, TypeError, OverflowError) as bad:
            for line, value in zip(lines, values, strict=True):
                try:
                    self._array([value])
                except (ValueError, TypeError, OverflowError):
                    text = f"{self._file}, line {line}: {self.name} cannot be {shown(value)}."
                    raise Unreadable(text) from bad
            raise

    def series(self) -> Any:
        if not self._column.is_category:
            return pd.concat(self._pieces, ignore_index=True) if self._pieces else pd.Series(self._array([]))
        codes = np.concatenate(self._pieces) if self._pieces else np.array([], dtype="int32")
        return pd.Categorical.from_codes(codes, categories=pd.Index(list(self._known), dtype="str"))

    def _array(self, values: Values) -> Any:
        present = [value for value in values if value is not None]
        if len(present) < len(values) and not self._column.missing:
            raise ValueError("empty")
        self._check(present)
        if self._column.is_category:
            return np.array([-1 if value is None else self._code(value) for value in values], dtype="int32")
        if isinstance(self._column.kind, Time):
            return pd.Series(pd.to_datetime(list(values), utc=True, format="ISO8601")).dt.as_unit("us")
        return pd.Series(list(values), dtype=DTYPES[type(self._column.kind)])

    def _check(self, present: Values) -> None:
        kind, kinds = type(self._column.kind), set(map(type, present))
        if kind is Number:
            if not kinds <= {int, float} or not all(map(isfinite, present)):
                raise ValueError("no number")
            return
        if not kinds <= {FITTING[kind]}:
            raise TypeError("another kind of value")
        if kind is Whole and not all(-LARGEST_WHOLE <= value < LARGEST_WHOLE for value in present):
            raise OverflowError("too large")
        if FITTING[kind] is str:
            # Half of a character, which JSON can escape, is no text.
            "".join(present).encode()

    def _code(self, value: str) -> int:
        if value not in self._known:
            if self._is_closed:
                raise ValueError("not one of the values that there are")
            self._known[value] = len(self._known)
        return self._known[value]
