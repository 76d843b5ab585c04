"""Runs manage.py with one moment at which the process kills itself: `killing.py POINT N serve …`, at the N-th time.

Only tests use it; the product knows nothing of these points (robustness §4).
"""

import itertools
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def die_at(owner, name, nth, *, after=False, counts=lambda *arguments: True):
    """Wraps a function so that its `nth` call, of those that count, is the process's last moment."""
    original, calls = getattr(owner, name), itertools.count(1)

    def wrapped(*arguments, **named):
        is_time = counts(*arguments) and next(calls) == nth
        if is_time and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        outcome = original(*arguments, **named)
        if is_time:
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

    setattr(owner, name, wrapped)


def arm(point: str, nth: int) -> None:
    from dialogues.actions import turns
    from participants.outbound.address_guard import AddressGuard
    from serving import group_commit
    from testing_console.live import bot_calls
    from testing_console.live.switchboard import Switchboard

    points = {
        "before insert": (turns, "check_may_speak", False),
        "after insert before commit": (turns, "_insert_turn", True),
        "after commit before ack": (group_commit, "_answer", False),
        "after ack before the call": (bot_calls.BotCalls, "start", False),
        "connecting": (AddressGuard, "make_socket", False),
        "reply read before commit": (bot_calls, "shown_reply", False),
        "after reply commit before notify": (Switchboard, "follow", False),
    }
    owner, name, after = points[point]
    if point == "after reply commit before notify":
        die_at(owner, name, nth, counts=is_of_a_reply)
    else:
        die_at(owner, name, nth, after=after)


def is_of_a_reply(switchboard, outcome) -> bool:
    from dialogues.actions import Settled

    return isinstance(outcome, Settled) and bool(outcome.told)


if __name__ == "__main__":
    point, nth, *arguments = sys.argv[1:]
    import django

    django.setup()
    arm(point, int(nth))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *arguments])
