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
    total: int, used: int, *, pitch: int = 4, height: int = 12, in_flight: int = 0, lost: Collection[int] = ()
) -> Drawing:
    """Used ticks are full, the rest a third high, every fifth a little longer; `lost` are numbers of ticks from 1."""
    used = max(0, min(used, total))
    flight = used + 1 if in_flight and used < total else 0
    end = total * pitch
    short = max(3, round(height * 0.33))
    taken = [tick for tick in range(1, used + 1) if tick not in lost]
    free = [tick for tick in range(used + 1, total) if tick != flight and tick not in lost]
    ticks = "".join(f"M{tick * pitch} 0v{height}" for tick in taken)
    is_fine = pitch < FINE_PITCH
    return Drawing(
        width=end + 2,
        height=height,
        left=_line(used * pitch, end, 0.5)
        + "".join(f"M{tick * pitch} 1v{short + (2 if tick % 5 == 0 else 0)}" for tick in free),
        line=_line(0, used * pitch, 0.5) if is_fine else "",
        used=ticks if is_fine else _line(0, used * pitch, 1) + ticks,
        flight=f"M{flight * pitch} 0v{height}" if flight else "",
        lost="".join(f"M{tick * pitch} 0v{height}" for tick in sorted(lost) if 0 < tick <= total),
        cap=f"M{end + 1} 0v{height}",
    )


def _line(start: int, end: int, y: float) -> str:
    return f"M{start} {f'{y:g}'.lstrip('0')}H{end}" if start < end else ""


def marks(total: int, used: int, *, in_flight: int = 0, lost: Collection[int] = ()) -> Iterator[Mark]:
    """The ticks of the large ruler; written are every fifth, the one in flight, and the cap."""
    flight = used + 1 if in_flight and used < total else 0
    for number in range(1, total + 1):
        state = "lost" if number in lost else "used" if number <= used else "flight" if number == flight else ""
        classes = [state, "five" if number % 5 == 0 else "", "cap" if number == total else ""]
        # Beside the tick in flight a fifth stays unwritten: on a phone the two numbers would touch.
        is_written = number in {flight, total} or (number % 5 == 0 and abs(number - flight) != 1)
        yield Mark(number, " ".join(filter(None, classes)), is_written)


def on_ticks(total: int, used: int, ticks: int) -> int:
    """How many of `ticks` stand for `used` of `total`: none only for nothing, all only for all of it."""
    if used <= 0 or total <= 0:
        return 0
    if used >= total:
        return ticks
    return min(ticks - 1, max(1, used * ticks // total))


def state_of_budget(total: int, used: int) -> str:
    """`low` when fewer than five turns are left, `mute` when none is."""
    if used >= total:
        return "mute"
    return "low" if total - used < LOW else ""
