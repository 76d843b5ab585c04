"""Runs manage.py with commits that take longer than anybody waits while a file stands: `slow_commits.py FILE serve …`."""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
LIMIT_S = 0.5


def slow_down(while_there: Path) -> None:
    from serving import group_commit
    from testing_console.live import commands

    original = group_commit.outcomes_of

    def slowly(works):
        if while_there.exists():
            time.sleep(3 * LIMIT_S)
        return original(works)

    group_commit.outcomes_of = slowly
    commands.COMMIT_LIMIT_S = LIMIT_S


if __name__ == "__main__":
    import django

    django.setup()
    slow_down(Path(sys.argv[1]))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[2:]])
