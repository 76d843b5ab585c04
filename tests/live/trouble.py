"""Runs manage.py with one kind of trouble; the product knows nothing of these points (robustness §4):

`trouble.py kill POINT N serve …` — the process kills itself at the N-th time that it comes to a point;
`trouble.py clock FILE serve …` — the wall clock is off by as many seconds as a file says;
`trouble.py commits FILE serve …` — commits take longer than their limit while a file stands.
"""

import itertools
import os
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
COMMIT_LIMIT_S = 0.5


def die_at(owner, name, nth, *, counts=lambda *arguments: True):
    """Wraps a function so that its `nth` call, of those that count, is the process's last moment."""
    original, calls = getattr(owner, name), itertools.count(1)

    def wrapped(*arguments, **named):
        if counts(*arguments) and next(calls) == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments, **named)

    setattr(owner, name, wrapped)


def kill(point: str, nth: str) -> None:
    from dialogues.actions import Settled, turns
    from participants.outbound.address_guard import AddressGuard
    from serving.commits import group_commit
    from testing_console.live import bot_calls
    from testing_console.live.switchboard import Switchboard

    def is_of_a_reply(switchboard, outcome) -> bool:
        return isinstance(outcome, Settled) and bool(outcome.told)

    points = {
        "before insert": (turns, "check_may_speak", {}),
        "after insert before commit": (turns, "accepted_frame", {}),
        "after commit before ack": (group_commit, "_answer", {}),
        "after ack before the call": (bot_calls.BotCalls, "start", {}),
        "connecting": (AddressGuard, "make_socket", {}),
        "reply read before commit": (bot_calls, "shown_reply", {}),
        "after reply commit before notify": (Switchboard, "follow", {"counts": is_of_a_reply}),
    }
    owner, name, how = points[point]
    die_at(owner, name, int(nth), **how)


def clock(file: str) -> None:
    from django.utils import timezone

    usual, offset = timezone.now, Path(file)
    timezone.now = lambda: usual() + timedelta(seconds=float(offset.read_text()) if offset.exists() else 0)


def commits(file: str) -> None:
    from serving.commits import group_commit
    from testing_console.live import commands

    original = group_commit.outcomes_of

    def slowly(works, hold):
        if Path(file).exists():
            time.sleep(3 * COMMIT_LIMIT_S)
        return original(works, hold)

    group_commit.outcomes_of = slowly
    commands.COMMIT_LIMIT_S = COMMIT_LIMIT_S


if __name__ == "__main__":
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    kind, *arguments = sys.argv[1:]
    n_own = arguments.index("serve")
    {"kill": kill, "clock": clock, "commits": commits}[kind](*arguments[:n_own])
    execute_from_command_line(["manage.py", *arguments[n_own:]])
