"""Icons of Lucide, as they stand in `static/vendor/lucide/`: only the files that pages use."""

import re
from functools import cache
from pathlib import Path

ICONS = Path(__file__).resolve().parents[1] / "static" / "vendor" / "lucide"
DRAWING = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


def names() -> list[str]:
    """The icons that are vendored, in alphabetical order."""
    return sorted(path.stem for path in ICONS.glob("*.svg"))


@cache
def drawing_of(name: str) -> str:
    """What stands inside the icon's <svg>, on one line. Errors: `ValueError` for an icon that is not vendored."""
    path = ICONS / f"{name}.svg"
    if not path.is_file():
        raise ValueError(f"There is no icon {name}: copy it from lucide-static to {path} and list it in manifest.json.")
    found = DRAWING.search(path.read_text())
    assert found, path
    return re.sub(r"\s+", " ", found[1]).strip()
