"""Reads files whose parsers a small file can make costly: in a child process with limits of memory and time."""

import json
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

TIMEOUT_S = 15
# Children of this process at a time: each may use its full memory limit.
AT_ONCE = 2
CHILD = Path(__file__).with_name("limited_child.py")
_free = BoundedSemaphore(AT_ONCE)


def read_apart(kind: str, content: bytes) -> Any:
    """What the child's reader of that kind gives, or `reason` alone: `memory`, `unreadable`, or the reader's own."""
    # A file that waits longer than the others may take is refused, not added to a queue of threads.
    if not _free.acquire(timeout=TIMEOUT_S):
        return {"reason": "memory"}
    try:
        # -I: nothing of the environment or the working directory; the content comes on standard input.
        command = [sys.executable, "-I", str(CHILD), kind]
        child = subprocess.run(command, input=content, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return {"reason": "memory"}
    finally:
        _free.release()
    try:
        return json.loads(child.stdout) if child.returncode == 0 else {"reason": "memory"}
    except ValueError:
        return {"reason": "unreadable"}
