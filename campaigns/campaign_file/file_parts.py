"""Tables of a campaign file whose rows another room keeps: that room adds itself here when the process starts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from accounts.models import Person
from campaigns.models import Campaign

if TYPE_CHECKING:
    # The actions of campaigns import this file.
    from campaigns.actions.load_report import LoadReport


@dataclass(frozen=True, slots=True)
class FilePart:
    """`compare` tells the report what the rows of the file change, and what is to be written; `document` gives the rows of a stored campaign."""

    name: str
    compare: Callable[[Campaign, Sequence[Any], "LoadReport", Person | None, datetime], None]
    document: Callable[[Campaign, bool], list[dict[str, Any]]]


PARTS: dict[str, FilePart] = {}


def add_part(part: FilePart) -> None:
    PARTS[part.name] = part
