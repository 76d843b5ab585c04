"""What the operator's long commands print while they work, and how they are told a passphrase."""

import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

TOLD_EVERY_S = 2.0


class Progress:
    """Prints a line every few seconds: what is done now, and which share of the whole is."""

    def __init__(self, to: Any) -> None:
        self._to, self._next_at = to, 0.0

    def __call__(self, what: str, share: float) -> None:
        now = time.monotonic()
        if now >= self._next_at:
            self._next_at = now + TOLD_EVERY_S
            self._to.write(f"{share:4.0%} {what}")


def passphrase_of(file: Path | None) -> str:
    """The first line of the file, or of standard input where it is `-`; empty without a file. Errors: `CommandError`."""
    if file is None:
        return ""
    try:
        lines = (sys.stdin.read() if str(file) == "-" else file.read_text()).splitlines()
    except (OSError, UnicodeDecodeError) as unreadable:
        raise CommandError(f"The passphrase cannot be read: {unreadable}.") from unreadable
    if not lines or not lines[0]:
        raise CommandError(f"The first line of {file} is empty: it must be the passphrase.")
    return lines[0]
