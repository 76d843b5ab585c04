"""Files of rows, read side by side: of each only the rows of the dialogue in hand are held. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from leaderboards.verification.archive import Archive
from leaderboards.verification.bundle_format import COLUMNS, PLACE
from leaderboards.verification.findings import Findings, shown

Object = dict[str, Any]
Line = tuple[int, Object]
N_OF_PLACE = PLACE[1:]


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# One decoder: `json.loads` with an option makes one for each line.
decode = json.JSONDecoder(parse_constant=_refuse).decode


def parsed(content: bytes) -> Any:
    """The JSON of a line or document. Errors: `ValueError`."""
    try:
        return decode(content.decode())
    except RecursionError as bad:
        raise ValueError("it is nested too deeply") from bad


def lines_of(archive: Archive, file: str, findings: Findings) -> Iterator[Line]:
    """The rows of a file with the numbers of their lines; a line that is no row is noted and left out."""
    columns = COLUMNS[file]
    for number, content in enumerate(archive.lines(file), start=1):
        try:
            row = parsed(content)
        except ValueError as bad:
            findings.note(file, f"is no JSON: {shown(str(bad))}", line=number)
            continue
        if type(row) is dict and tuple(row) == columns:
            yield number, row
        else:
            findings.note(file, f"does not have the columns {', '.join(columns)}", line=number)


class Table:
    """A file whose rows are sorted as dialogues.jsonl is."""

    def __init__(self, archive: Archive, file: str, order: Mapping[str, int], findings: Findings) -> None:
        self.file = file
        self.n_rows = 0
        self._lines = lines_of(archive, file, findings)
        self._order = order
        self._findings = findings
        self._next = next(self._lines, None)

    def of(self, dialogue: Object) -> Sequence[Line]:
        """The rows of the dialogue that comes next; those that belong to none are noted."""
        wanted, rows = dialogue["dialogue"], []
        place = tuple(dialogue[name] for name in N_OF_PLACE)
        while self._next is not None:
            number, row = self._next
            if row["dialogue"] != wanted:
                if not self._is_out_of_place(number, row, self._order[wanted]):
                    break
            else:
                rows.append(self._next)
                if (row["tester"], row["bot"], row["scenario"], row["repetition"]) != place:
                    self._note(
                        number, f"says another tester, bot, scenario or repetition than dialogue {shown(wanted)} has"
                    )
            self._next = next(self._lines, None)
        self.n_rows += len(rows)
        return rows

    def check_end(self) -> None:
        """Notes what is left after the last dialogue."""
        while self._next is not None:
            self._is_out_of_place(*self._next, len(self._order))
            self._next = next(self._lines, None)

    def _is_out_of_place(self, number: int, row: Object, at: int) -> bool:
        name = row["dialogue"]
        place = self._order.get(name) if isinstance(name, str) else None
        if place is None:
            self._note(number, f"is of the dialogue {shown(name)}, which dialogues.jsonl does not have")
        elif place < at:
            self._note(number, f"stands behind its place: rows come in the order of the dialogues ({shown(name)})")
        return place is None or place < at

    def _note(self, number: int, text: str) -> None:
        self._findings.note(self.file, text, line=number)
