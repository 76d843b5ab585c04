"""The ruler: one tick per turn, hanging from a line, the cap closing it. Pure geometry; `static/look/ruler.js` draws the same."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

LOW = 5
FINE_PITCH = 6


@dataclass(frozen=True, slots=True)
class Drawing:
    """A small ruler as paths of an SVG that is `width` × `height` pixels; an empty path draws nothing."""

    width: int
    height: int
    left: str
    line: str
    used: str
    flight: str
    lost: str
    cap: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One tick of the large ruler: its classes, and its number where it is written."""

    number: int
    classes: str
    is_written: bool


def draw(
    total: int,
    used: int,
    *,
    pitch: int = 4,
    height: int = 12,
    in_flight: int = 0,
    lost: Collection[int] = (),
    ticks: int = 0,
) -> Drawing:
    """Used ticks are full, the rest a third high, every fifth a little longer; `lost` are numbers of ticks from 1.

    A tick is a unit. With `ticks` the ruler is as wide as that many, whatever the total; a total of more, or of nothing, is a plain bar.
    """
    end = (ticks or total) * pitch
    if ticks and not 0 < total <= ticks:
        return _bar(total, used, end, height)
    used = max(0, min(used, total))
    flight = used + 1 if in_flight and used < total else 0
    short = max(3, round(height * 0.33))
    taken = [tick for tick in range(1, used + 1) if tick not in lost]
    free = [tick for tick in range(used + 1, total) if tick != flight and tick not in lost]
    # Where a wide ruler has few ticks, they share its width.
    places = [tick * end // total for tick in range(total + 1)] if total else [0]
    full = "".join(f"M{places[tick]} 0v{height}" for tick in taken)
    is_fine = end < FINE_PITCH * total
    return Drawing(
        width=end + 2,
        height=height,
        left=_line(places[used], end, 0.5)
        + "".join(f"M{places[tick]} 1v{short + (2 if tick % 5 == 0 else 0)}" for tick in free),
        line=_line(0, places[used], 0.5) if is_fine else "",
        used=full if is_fine else _line(0, places[used], 1) + full,
        flight=f"M{places[flight]} 0v{height}" if flight else "",
        lost="".join(f"M{places[tick]} 0v{height}" for tick in sorted(lost) if 0 < tick <= total),
        cap=f"M{end + 1} 0v{height}",
    )


def _bar(total: int, used: int, end: int, height: int) -> Drawing:
    """Used up to its share of the width: none only for nothing, all only for all of it."""
    filled = filled_of(total, used, end)
    middle = height // 2
    return Drawing(
        width=end + 2,
        height=height,
        left=_line(filled, end, 0.5),
        line=_line(0, filled, 0.5),
        used="".join(f"M0 {y}H{filled}" for y in range(middle - 2, middle + 3, 2)) if filled else "",
        flight="",
        lost="",
        cap=f"M{end + 1} 0v{height}" if total else "",
    )


def _line(start: int, end: int, y: float) -> str:
    return f"M{start} {f'{y:g}'.lstrip('0')}H{end}" if start < end else ""


def filled_of(total: int, used: int, end: int) -> int:
    """How much of `end` stands for `used` of `total`: nothing only for nothing, all only for all of it."""
    if used <= 0 or total <= 0:
        return 0
    if used >= total:
        return end
    return min(end - 1, max(1, used * end // total))


def marks(total: int, used: int, *, in_flight: int = 0, lost: Collection[int] = ()) -> Iterator[Mark]:
    """The ticks of the large ruler; written are every fifth, the one in flight, and the cap."""
    flight = used + 1 if in_flight and used < total else 0
    for number in range(1, total + 1):
        state = "lost" if number in lost else "used" if number <= used else "flight" if number == flight else ""
        classes = [state, "five" if number % 5 == 0 else "", "cap" if number == total else ""]
        # Beside the tick in flight a fifth stays unwritten: on a phone the two numbers would touch.
        is_written = number in {flight, total} or (number % 5 == 0 and abs(number - flight) != 1)
        yield Mark(number, " ".join(filter(None, classes)), is_written)


def state_of_budget(total: int, used: int) -> str:
    """`low` when fewer than five turns are left, `mute` when none is."""
    if used >= total:
        return "mute"
    return "low" if total - used < LOW else ""
