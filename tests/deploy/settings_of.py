"""The settings that are shipped, and what `manage.py check --deploy` says of an installation that has them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
# What whoever uses the compose file writes beside it.
WRITTEN = {"HUACE_SITE": "huace.example.org", "HUACE_DATABASE_PASSWORD": "a-password", "HUACE_SECRET_KEY": "q7Zr-" * 13}


def settings_of_compose() -> dict[str, str]:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["app-1"]
    return {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda written: WRITTEN[written[1]], value)
        for name, value in service["environment"].items()
    }


def settings_of_units() -> dict[str, str]:
    lines = (ROOT / "deploy" / "huace.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def complaints(settings: dict[str, str]) -> list[str]:
    """The lines with a number of `check --deploy`."""
    ours = ("HUACE_", "DATABASE_URL", "REDIS_URL", "DJANGO_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    told = subprocess.run(command, cwd=ROOT, env=environment | settings, capture_output=True, text=True)
    found = re.findall(r"^\?: (.+)$", told.stderr, re.M)
    assert told.returncode == bool(found), told.stderr
    return found
