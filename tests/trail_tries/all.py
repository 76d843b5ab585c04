"""The whole table: each file of tries adds its rows."""

from importlib import import_module
from pathlib import Path

from tests.trail_tries.table import TRIES

__all__ = ["TRIES"]

for file in sorted(Path(__file__).parent.glob("*.py")):
    if file.stem != "all":
        import_module(f"tests.trail_tries.{file.stem}")
