"""Which version of the product this is, and which code: two machines of one installation run the same."""

import hashlib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings

# Django knows the others as its apps.
ROOMS_WITHOUT_MODELS = ("api", "config", "measures", "reading", "team_desk")


@cache
def product_version() -> str:
    described: dict[str, Any] = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    return str(described["project"]["version"])


@cache
def code_version() -> str:
    """The version, and eight digits that change with any line of the product's Python."""
    digest = hashlib.sha256()
    for file in _files():
        digest.update(f"{file.relative_to(settings.BASE_DIR)}\n".encode())
        digest.update(file.read_bytes())
    return f"{product_version()}+{digest.hexdigest()[:8]}"


def _files() -> list[Path]:
    base = Path(settings.BASE_DIR)
    rooms = {Path(config.path) for config in apps.get_app_configs()} | {base / name for name in ROOMS_WITHOUT_MODELS}
    ours = [room for room in rooms if room.parent == base]
    return sorted(file for room in ours for file in room.rglob("*.py"))
