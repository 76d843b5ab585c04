"""What pages show of panels that nobody can fill: the first rows, each with its reasons and ways in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from dialogues.models import Dialogue
from reviews.panel_gaps import Gap, what_fills, why_sentences
from reviews.panel_survey import LackingPanel, short_of

SHOWN = 100
# On pages about more than panels.
FIRST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PanelRow:
    dialogue: Dialogue
    gap: Gap
    since: datetime
    why: Sequence[str]
    ways: Sequence[str]


@dataclass(frozen=True, slots=True)
class ShortPanels:
    """How many panels are short, and the first rows of them, the longest at rest first."""

    n: int
    rows: Sequence[PanelRow]


def shown_panels(lacking: Iterable[LackingPanel], *, most: int = SHOWN) -> ShortPanels:
    short = short_of(lacking)
    return ShortPanels(len(short), [row_of(one) for one in short[:most]])


def row_of(one: LackingPanel) -> PanelRow:
    return PanelRow(one.dialogue, one.gap, one.since, why_sentences(one.panel), what_fills(one.panel, one.gap))
