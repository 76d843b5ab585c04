"""Heaps of the C library: as many as were said, however many threads ask."""

import platform
import subprocess
import sys

import pytest

# Each thread holds what it asked for until all have, so that none can take the heap of one that ended.
COUNTING = """
import ctypes, sys, threading
from serving.heaps import share_heaps
if sys.argv[1] == "shared":
    assert share_heaps()
together = threading.Barrier(6)
def ask():
    held = [bytes(100_000) for _ in range(10)]
    together.wait(10)
threads = [threading.Thread(target=ask) for _ in range(6)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
libc.malloc_info(0, ctypes.c_void_p(libc.fdopen(1, b"w")))
libc.fflush(None)
"""


def n_heaps(how: str) -> int:
    said = subprocess.run([sys.executable, "-c", COUNTING, how], capture_output=True, text=True, check=True).stdout
    return said.count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library than glibc has heaps of its own")
def test_threads_share_two_heaps():
    assert n_heaps("shared") <= 2
    assert n_heaps("as they come") > 2
