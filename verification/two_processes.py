"""Verifies a sound bundle on two processors: what was said in a process of its own, beside what was thought of it. Pure.

Only the verdict that nothing differs is taken from here. At the first difference both stop, and whoever asked verifies the
bundle again in one process, which finds all of them in their order.
"""

import multiprocessing
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from verification.archive import Archive, Read
from verification.bundle_format import CAMPAIGN
from verification.findings import BAD_VALUES, Findings, Unreadable
from verification.recomputing import Charging
from verification.said import TALK_FILES, Said, dialogues_of, order_of_dialogues
from verification.tables import Object, parsed

DIALOGUES_AT_ONCE = 200


class Differs(Exception):
    """Something differs, or could not be read: one process is to say what."""


class NoFindings(Findings):
    """Where nothing may be found."""

    def note(self, file: str, text: str, *, line: int | None = None, figure: str = "") -> NoReturn:
        raise Differs


def are_of_use() -> bool:
    """Whether there is a second processor, and a way to fork a process that has none of its own threads yet."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


class ToldBeside:
    """The talks as the other process tells them, dialogue by dialogue, in the order that both read."""

    def __init__(self, archive: Archive, told: Connection) -> None:
        self._archive = archive
        self._told = told
        self._waiting: Iterator[list[int]] = iter(())

    def turns_of(self, line: int, dialogue: Object) -> list[int]:
        turns = next(self._waiting, None)
        if turns is None:
            self._waiting = iter(self._received())
            turns = next(self._waiting)
        return turns

    def finish(self) -> Mapping[str, int]:
        counts: Mapping[str, int]
        seen: Mapping[str, Read]
        counts, seen = self._received()
        # As if they had been read here: their digests are compared with the manifest.
        self._archive.seen.update(seen)
        return counts

    def _received(self) -> Any:
        try:
            return self._told.recv()
        except EOFError as ended:
            raise Differs from ended


@contextmanager
def told_beside(path: Path, archive: Archive) -> Iterator[ToldBeside]:
    """Comes before the archive has read anything: a process that is forked must have no threads."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_tell, args=(path, here, there), daemon=True)
    process.start()
    # Else the end of the other process would not be the end of what it tells.
    there.close()
    try:
        yield ToldBeside(archive, here)
    finally:
        here.close()
        process.terminate()
        process.join()


def _tell(path: Path, theirs: Connection, to: Connection) -> None:
    """Tells the talks; just ends where anything is odd, which is how that is told."""
    # The fork has the end that is read from, too. While it is open here, nothing tells that the reader is gone: a process whose
    # reader was killed would wait for ever for somebody to read on.
    theirs.close()
    # What is odd; and where the pipe breaks, whoever read has enough, or is gone.
    try:
        with suppress(Differs, Unreadable, BrokenPipeError, KeyboardInterrupt, *BAD_VALUES):
            _tell_talks(path, to)
    except Exception:
        # Of a mistake of ours one process would say nothing: every bundle would just take longer.
        traceback.print_exc()


def _tell_talks(path: Path, to: Connection) -> None:
    """Tells what each talk costs, and at the end what was read."""
    archive, findings = Archive(path), NoFindings()
    archive.check_names(findings)
    settings = parsed(archive.document(CAMPAIGN))["settings"]
    said = Said(archive, order_of_dialogues(archive, findings), Charging(settings), findings)
    some: list[list[int]] = []
    for line, dialogue in dialogues_of(archive):
        some.append(said.turns_of(line, dialogue))
        if len(some) == DIALOGUES_AT_ONCE:
            to.send(some)
            some = []
    if some:
        to.send(some)
    to.send((said.finish(), {file: archive.seen[file] for file in TALK_FILES}))
