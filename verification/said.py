"""What was said in the dialogues of a bundle: checked one dialogue after the other, with what each part of it costs. Pure."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from verification.archive import Archive
from verification.findings import Findings, shown
from verification.recomputing import Charging
from verification.tables import Line, Object, Table, beginning_of, lines_of
from verification.talks import ATTEMPTS, DIALOGUES, LEDGER, TURNS, Talk

TALK_FILES = (TURNS, ATTEMPTS, LEDGER)
Order = Mapping[str, int]


class Talks(Protocol):
    """Where the talks are checked: here, or in a process of its own (`two_processes.py`)."""

    def turns_of(self, line: int, dialogue: Object) -> list[int]: ...
    def finish(self) -> Mapping[str, int]: ...


class Said:
    """The talks, checked here."""

    def __init__(self, archive: Archive, order: Order, charging: Charging, findings: Findings) -> None:
        self._charging = charging
        self._findings = findings
        self._tables = {file: Table(archive, file, order, findings) for file in TALK_FILES}

    def turns_of(self, line: int, dialogue: Object) -> list[int]:
        """What each subtask of the dialogue that comes next is charged where it is finished. Errors: those of odd values."""
        beginning = beginning_of(dialogue)
        rows = [table.of(dialogue["dialogue"], beginning) for table in self._tables.values()]
        talk = Talk(line, dialogue, *rows)
        talk.check(self._charging.policy, self._charging.opened_by, self._findings)
        return self._charging.turns_of(talk)

    def finish(self) -> dict[str, int]:
        """How many rows of each file were checked; what is left of them is noted."""
        for table in self._tables.values():
            table.check_end()
        return {file: table.n_rows for file, table in self._tables.items()}


def order_of_dialogues(archive: Archive, findings: Findings) -> dict[str, int]:
    """The places of all dialogues, so that a row of none is told from one that stands elsewhere."""
    order: dict[str, int] = {}
    for line, row in lines_of(archive, DIALOGUES, findings):
        if row["dialogue"] in order:
            findings.note(DIALOGUES, f"dialogue {shown(row['dialogue'])} appears twice", line=line)
        order.setdefault(row["dialogue"], len(order))
    return order


def dialogues_of(archive: Archive) -> Iterator[Line]:
    """Each dialogue once. What is wrong with the lines was noted when their order was read."""
    done: set[str] = set()
    for line, dialogue in lines_of(archive, DIALOGUES, Findings()):
        if dialogue["dialogue"] not in done:
            done.add(dialogue["dialogue"])
            yield line, dialogue
