"""What a verification found: the file or figure that differs, in a sentence. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

# One removed line can put every later one out of order; the first few say all.
SHOWN_PER_FILE = 20
# What reading a bundle raises where a value in it does not fit.
BAD_VALUES = (KeyError, TypeError, AttributeError, ValueError, ArithmeticError, IndexError)


class Unreadable(Exception):
    """The file is no bundle that can be read; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Culprit:
    """`line` is that of a file of lines, `figure` what differs where it has a name."""

    file: str
    text: str
    line: int | None = None
    figure: str = ""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.text}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Findings:
    """Culprits in the order in which they were found; of each file the first ones, and how many there are."""

    _found: list[Culprit] = field(default_factory=list)
    _n_by_file: Counter[str] = field(default_factory=Counter)

    def note(self, file: str, text: str, *, line: int | None = None, figure: str = "") -> None:
        self._n_by_file[file] += 1
        if self._n_by_file[file] <= SHOWN_PER_FILE:
            self._found.append(Culprit(file, text, line, figure))

    def __len__(self) -> int:
        return sum(self._n_by_file.values())

    def __iter__(self) -> Iterator[Culprit]:
        yield from self._found
        for file, n in self._n_by_file.items():
            if n > SHOWN_PER_FILE:
                yield Culprit(file, f"{n - SHOWN_PER_FILE} more findings of this kind are not listed")


def shown(value: Any, limit: int = 80) -> str:
    """A value out of the bundle as a message can show it: without control characters, and not too long."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else f"{value}"
    if not text.isprintable():
        text = "".join(one if one.isprintable() else "�" for one in text)
    return text if len(text) <= limit else f"{text[:limit]}…"
