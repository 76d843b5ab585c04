"""The command `huace` of an installed wheel: manage.py, with its data in one folder of the person who runs it.

The rooms stand below `huace/site` there (`pyproject.toml`), and are found from here as in a checkout.
"""

import os
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parents[1]


def main() -> None:
    sys.path.insert(0, str(SITE))
    # Programs that are started as modules find the rooms as well.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SITE), os.environ.get("PYTHONPATH")]))
    os.environ.setdefault("HUACE_HOME", str(usual_home()))
    run()


def run() -> None:
    """The command of this process; a setting that stops the start is one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.exit(f"{problem}")


def usual_home() -> Path:
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "huace"
