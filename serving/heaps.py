"""Keeps a process at two heaps of its C library.

glibc gives each new thread a heap of its own, up to eight per processor, and what one of them was once given stays with it: a flood that
passes through all threads of a pool is paid for as often as there are threads. Python runs one thread at a time, so that two are enough.
"""

import ctypes
import sys

# <malloc.h> of glibc.
M_ARENA_MAX = -8
N_HEAPS = 2


def share_heaps() -> bool:
    """Has to come before threads do: a heap that is there stays. False where the C library is another than glibc and knows no such bound."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return set_option(M_ARENA_MAX, N_HEAPS) == 1
