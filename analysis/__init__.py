"""A campaign's results for pandas: `frames(bundle)`, then `board`, `agreement`, `correlations` of them, and `to_latex` (docs/analysis.md).

pandas is an extra. It is loaded with the first of these names, never with the package, which the server imports as one of its rooms.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ != "analysis":
    # In an installed wheel the rooms stand below `huace.site` (`config/command.py`).
    sys.path.append(str(Path(__file__).resolve().parents[1]))

_HOMES = {
    "frames": "bundles", "Frames": "bundles", "Unreadable": "bundles", "board": "figures", "agreement": "figures",
    "correlations": "figures", "to_latex": "paper",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"analysis.{_HOMES[name]}"), name)
    except ModuleNotFoundError as missing:
        raise ImportError(
            f"This needs {missing.name}, of the extra `analysis`: pip install 'huace[analysis]'."
        ) from missing
