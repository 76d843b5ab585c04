"""What a check found, kept as a sentence and its values, so that each reader gets it in their own language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong or stood out, and where. `text` is English with `%(name)s` for the values; mark it for translation
    with `gettext_noop` where it is written. The value `kind` is a word that is translated too."""

    place: str
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        shown = {name: gettext(value) if name == "kind" else value for name, value in self.values.items()}
        return gettext(self.text) % shown if shown else gettext(self.text)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"

    def to_json(self) -> list[Any]:
        return [self.place, self.text, dict(self.values)]

    @classmethod
    def from_json(cls, kept: list[Any]) -> "Finding":
        return cls(*kept)
