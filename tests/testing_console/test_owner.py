"""Whether the process that asks a bot still lives."""

import os
import subprocess
import sys

from testing_console.owner import Owner


def ended_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def name_of(owner: Owner, pid: int, host: str | None = None) -> str:
    return f"{host or owner.name.rsplit(':', 2)[0]}:{pid}:0123abcd"


def test_a_process_never_takes_itself_for_gone():
    owner = Owner()
    assert not owner.is_gone(owner.name)


def test_a_process_that_ended_on_this_machine_is_gone():
    owner = Owner()
    assert owner.is_gone(name_of(owner, ended_pid()))
    assert not owner.is_gone(name_of(owner, os.getppid()))


def test_another_owner_with_our_own_process_number_is_gone():
    """The number was given to us after that process ended."""
    owner = Owner()
    assert owner.is_gone(name_of(owner, os.getpid()))


def test_nothing_is_known_of_other_machines_or_of_names_that_cannot_be_read():
    owner = Owner()
    assert not owner.is_gone(name_of(owner, ended_pid(), host="elsewhere"))
    assert not owner.is_gone("nonsense")
    assert not owner.is_gone("")
