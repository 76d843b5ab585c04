"""What a setting of a campaign is: kind and limits, default, until when it may change, its words. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.utils.translation import gettext_noop

from reading.kinds import BothTexts, Choice, Kind, Texts, Whole
from reading.tables import NEEDED, Field


class Changeable(Enum):
    """Until when a setting may change. What decides the rules of dialogues is fixed once there is one."""

    ALWAYS = gettext_noop("at any time")
    BEFORE_DIALOGUES = gettext_noop("until the first dialogue")


# What a file gives for a setting that it does not mention.
NOT_SAID: Any = object()
# The default of a setting that every preset says.
OF_PRESET: Any = object()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `name` is its column, `table` and `key` its place in campaign files, `key` where that is another name.

    `words` names the choices for people; a choice in `only_in_files` is stored as something else. `word_for_null` is what
    files say where the column is NULL, so that a file can take a number back. `needs` are values of other settings without
    one of which it says nothing.
    """

    name: str
    kind: Kind
    default: Any
    changeable: Changeable
    label: str
    about: str
    key: str = ""
    table: str = "campaign"
    words: Mapping[Any, str] = field(default_factory=dict)
    only_in_files: tuple[str, ...] = ()
    word_for_null: str = ""
    needs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def applies(self, settings: Mapping[str, Any]) -> bool:
        return all(settings[name] in values for name, values in self.needs.items())

    @property
    def key_in_file(self) -> str:
        return self.key or self.name

    @property
    def place(self) -> str:
        """Where it stands in a campaign file."""
        return f"[{self.table}] {self.key_in_file}"

    @property
    def field(self) -> Field:
        """How a campaign file is read."""
        return Field(self.kind, NEEDED if self.default is NEEDED else NOT_SAID, self.key)

    def columns(self, value: Any) -> dict[str, Any]:
        """What is stored for a value."""
        match value:
            case Texts():
                return {f"{self.name}_zh": value.zh, f"{self.name}_en": value.en}
            case str() if self.word_for_null and value == self.word_for_null:
                return {self.name: None}
            case tuple():
                return {self.name: list(value)}
            case Mapping():
                return {self.name: dict(value)}
        return {self.name: value}

    def value_in(self, row: object) -> Any:
        """The value that a stored campaign has."""
        if isinstance(self.kind, BothTexts):
            return Texts(getattr(row, f"{self.name}_zh"), getattr(row, f"{self.name}_en"))
        stored = getattr(row, self.name)
        if stored is None and self.word_for_null:
            return self.word_for_null
        return tuple(stored) if isinstance(stored, list) else stored

    @property
    def limits(self) -> tuple[int, int] | None:
        """The least and the greatest number that the column may hold."""
        if isinstance(self.kind, Whole) and self.kind.highest is not None:
            return self.kind.lowest, self.kind.highest
        return None

    @property
    def stored_choices(self) -> list[str]:
        """The choices that the column may hold."""
        choices = self.kind.choices if isinstance(self.kind, Choice) else ()
        return [choice for choice in choices if choice not in self.only_in_files]
