"""Runs manage.py with a wall clock that is off by as many seconds as a file says: `jumping_clock.py FILE serve …`."""

import os
import sys
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def let_it_jump(offset: Path) -> None:
    from django.utils import timezone

    usual = timezone.now
    timezone.now = lambda: usual() + timedelta(seconds=float(offset.read_text()) if offset.exists() else 0)


if __name__ == "__main__":
    import django

    django.setup()
    let_it_jump(Path(sys.argv[1]))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[2:]])
