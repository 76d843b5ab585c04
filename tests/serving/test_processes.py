"""Names of processes: never shared, and ended only where that is certain."""

import os
import platform
import subprocess
import sys

import pytest

from serving import processes
from serving.processes import ProcessName, has_process, host_name, is_ended, new_name, this_place

PLACE = "host-0123abcd"


def free_number() -> int:
    """The number of a process that ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_two_processes_of_the_same_host_name_and_number_have_different_names():
    first, second = new_name("host", 1), new_name("host", 1)
    assert first != second
    assert len(new_name(this_place(), 4_194_304)) <= 60


def test_a_process_whose_number_is_free_has_ended():
    assert is_ended(f"{PLACE}:aaaaaaaa:{free_number()}", place=PLACE)
    assert not is_ended(f"{PLACE}:aaaaaaaa:{os.getppid()}", place=PLACE)


def test_a_process_whose_number_was_given_to_us_has_ended_but_we_have_not():
    assert is_ended(f"{PLACE}:aaaaaaaa:{os.getpid()}", place=PLACE)
    assert not is_ended(new_name(PLACE, os.getpid()), place=PLACE)


@pytest.mark.parametrize(
    "name", ["", "host", "host-0123abcd:aaaaaaaa:x", "host-0123abcd:aaaaaaaa:²", "host-0123abcd::"]
)
def test_of_a_name_that_nobody_can_read_nothing_is_known(name):
    assert not is_ended(name, place=PLACE)


def test_of_another_place_nothing_is_known_even_where_the_host_name_is_the_same():
    name = f"host-ffffffff:aaaaaaaa:{free_number()}"
    assert not is_ended(name, place=PLACE)
    assert not is_ended(f":aaaaaaaa:{free_number()}", place="")


def test_another_space_of_processes_is_another_place(monkeypatch):
    here = this_place()
    monkeypatch.setattr(processes.os, "readlink", lambda path: "pid:[1]")
    assert this_place() not in {here, ""}

    def refused(path):
        raise OSError

    monkeypatch.setattr(processes.os, "readlink", refused)
    assert this_place() == ""


def test_a_process_never_takes_itself_for_ended_under_any_of_its_names():
    one, other = ProcessName(), ProcessName()
    assert one.name != other.name
    assert not any(asked.is_ended(name) for asked in (one, other) for name in (one.name, other.name))


def test_an_older_process_of_this_place_with_our_own_number_has_ended():
    ours = ProcessName()
    assert ours.is_ended(f"{ours.place}:0123abcd:{os.getpid()}")
    assert not ours.is_ended(f"{ours.place}:0123abcd:{os.getppid()}")


def test_another_container_with_our_host_name_and_number_is_not_known_to_have_ended():
    assert not ProcessName().is_ended(f"{host_name()}-ffffffff:0123abcd:{os.getpid()}")


def test_a_process_number_that_no_system_gives_is_nobodys():
    assert not has_process(2**70)
    assert has_process(os.getpid())


# Each thread holds what it asked for until all have, so that none can take the heap of one that ended.
COUNTING = """
import ctypes, sys, threading
from serving.processes import share_heaps
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
