"""What came of a bot's calls, and its last day as a picture: how long it took to reply, and when it did not. Pure.

╭─ seconds ──────────────╮   p50 and p95 of each cell; a line breaks where nothing was asked
╰─ one cell per 10 min ──╯   low: all answered · high: a call failed · faint: nothing was asked
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from conformance.results import percentile

CELL = timedelta(minutes=10)
N_CELLS = 144
CELLS_PER_HOUR = 6
# The scale ends at the first of these seconds that holds everything.
TOPS_S = (1, 2, 5, 10, 20, 60, 120)
PLOT_TOP, PLOT_BOTTOM, STRIP_BOTTOM = 14, 96, 130
CELL_HEIGHT, FAILED_HEIGHT = 14, 20
LEFT, RIGHT = 44, 36


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was answered with a latency, or that failed by the bot's fault, with the kind of its failure."""

    at: datetime
    latency_ms: int | None = None
    kind: str = ""


@dataclass(slots=True)
class Answers:
    """What came of the calls of one bot in some time. A turn that failed and was asked again is two calls.

    `latencies` counts the answers by their milliseconds.
    """

    latencies: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    n_of_others: int = 0

    @property
    def n_answered(self) -> int:
        return self.latencies.total()

    @property
    def n_failed(self) -> int:
        """Failures that are the bot's fault; `n_of_others` are the platform's, a tester's or nobody's."""
        return sum(self.kinds.values())

    @property
    def by_kind(self) -> list[tuple[str, int]]:
        """The kinds of its failures, the most frequent first."""
        return self.kinds.most_common()

    @property
    def n_calls(self) -> int:
        return self.n_answered + self.n_failed

    @property
    def p50_ms(self) -> int | None:
        return self._latency_at(0.5)

    @property
    def p95_ms(self) -> int | None:
        return self._latency_at(0.95)

    @property
    def percent_answered(self) -> float | None:
        return round(100 * self.n_answered / self.n_calls, 1) if self.n_calls else None

    def _latency_at(self, share: float) -> int | None:
        return percentile(self.latencies.elements(), share) if self.latencies else None


@dataclass(slots=True)
class Cell(Answers):
    """What came of the calls of some minutes."""

    since: datetime = datetime.min


@dataclass(frozen=True, slots=True)
class Picture:
    """Paths and labels of an SVG that is `width` wide; a label is its place and its words."""

    width: int
    p50: str
    p95: str
    answered: str
    failed: str
    silent: str
    seconds: Sequence[tuple[float, str]]
    hours: Sequence[tuple[float, datetime]]
    left: int = LEFT
    bottom: int = STRIP_BOTTOM

    @property
    def right(self) -> int:
        return self.width - RIGHT


def cells_of(calls: Iterable[Call], at: datetime) -> list[Cell]:
    """The last day in cells of ten minutes, the oldest first; what is older or still to come is left out."""
    begin = begin_of(at)
    cells = [Cell(since=begin + n * CELL) for n in range(N_CELLS)]
    for call in calls:
        place = (call.at - begin) // CELL
        if not 0 <= place < N_CELLS:
            continue
        if call.latency_ms is None:
            cells[place].kinds[call.kind] += 1
        else:
            cells[place].latencies[call.latency_ms] += 1
    return cells


def begin_of(at: datetime) -> datetime:
    """Where the picture begins: its last cell is the one that goes on."""
    cell = at.replace(minute=at.minute - at.minute % 10, second=0, microsecond=0)
    return cell - (N_CELLS - 1) * CELL


def hours_of(cells: Sequence[Cell]) -> list[Cell]:
    """The same by the hour, for the table; hours without a call are left out."""
    hours = [whole_of(cells[n : n + CELLS_PER_HOUR]) for n in range(0, len(cells), CELLS_PER_HOUR)]
    return [hour for hour in hours if hour.n_calls]


def whole_of(cells: Sequence[Cell]) -> Cell:
    """Consecutive cells as one."""
    whole = Cell(since=cells[0].since)
    for cell in cells:
        whole.latencies += cell.latencies
        whole.kinds += cell.kinds
    return whole


def picture_of(cells: Sequence[Cell], width: int, n_hours: int) -> Picture:
    """`n_hours` is how many hours lie between two labels of the axis."""
    pitch = (width - LEFT - RIGHT) / len(cells)
    middles = [LEFT + (n + 0.5) * pitch for n in range(len(cells))]
    top_s = top_of(cells)
    return Picture(
        width=width,
        p50=_line(middles, [cell.p50_ms for cell in cells], top_s),
        p95=_line(middles, [cell.p95_ms for cell in cells], top_s),
        answered=_bars(middles, [cell.n_answered > 0 and not cell.n_failed for cell in cells], CELL_HEIGHT),
        failed=_bars(middles, [cell.n_failed > 0 for cell in cells], FAILED_HEIGHT),
        silent=_bars(middles, [not cell.n_calls for cell in cells], CELL_HEIGHT // 2),
        seconds=[(_y(share * top_s, top_s), f"{share * top_s:g}") for share in (0, 0.5, 1)],
        hours=[(round(LEFT + n * pitch) + 0.5, cells[n].since) for n in range(0, len(cells), n_hours * CELLS_PER_HOUR)],
    )


def top_of(cells: Sequence[Cell]) -> int:
    slowest_s = max((cell.p95_ms or 0 for cell in cells), default=0) / 1000
    return next((top for top in TOPS_S if slowest_s <= top), TOPS_S[-1])


def _y(seconds: float, top_s: float) -> float:
    return round(PLOT_BOTTOM - (PLOT_BOTTOM - PLOT_TOP) * min(1.0, seconds / top_s), 1)


def _line(middles: Sequence[float], values_ms: Sequence[int | None], top_s: float) -> str:
    """A path through what there is; one that stands alone is a short dash."""
    strokes, is_drawing = [], False
    for x, value_ms in zip(middles, values_ms, strict=True):
        if value_ms is None:
            is_drawing = False
            continue
        y = _y(value_ms / 1000, top_s)
        strokes.append(f"L{x:.1f} {y}" if is_drawing else f"M{x - 1:.1f} {y}H{x + 1:.1f}")
        is_drawing = True
    return "".join(strokes)


def _bars(middles: Sequence[float], has_one: Sequence[bool], height: int) -> str:
    return "".join(
        f"M{x:.1f} {STRIP_BOTTOM - height}V{STRIP_BOTTOM}" for x, has in zip(middles, has_one, strict=True) if has
    )
