"""Who a model plays and how hard it makes it: data of the room's file or of another one of its form."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from reading.checking import Problems, read_declared
from reading.findings import FILE
from reading.kinds import SLUG, Text
from reading.tables import Field, Rows, Table, table_of

USUAL = Path(__file__).with_name("personas.toml")
WORDS = Text(2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """A persona or a difficulty: what the prompt says of it in each language."""

    key: Annotated[str, SLUG]
    zh: Annotated[str, WORDS]
    en: Annotated[str, WORDS]

    def words(self, language: str) -> str:
        return self.en if language == "en" else self.zh


@dataclass(frozen=True, slots=True)
class Manners:
    personas: Sequence[Manner]
    difficulties: Sequence[Manner]


MANNERS = Rows(table_of(Manner), "key", may_be_empty=False, most=100)
ROOT = Table({"personas": Field(MANNERS), "difficulties": Field(MANNERS)})


def read_manners(name: str, content: bytes) -> Manners:
    """The personas and difficulties of a file. Errors: `BadFile` with everything that is wrong in it."""
    problems = Problems()
    root = problems.read(read_declared(name, content), FILE, ROOT)
    problems.refuse()
    return Manners(tuple(root["personas"]), tuple(root["difficulties"]))


def usual_manners() -> Manners:
    return read_manners(USUAL.name, USUAL.read_bytes())
