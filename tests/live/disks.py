"""A disk of a few megabytes that can be filled."""

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DISK_BYTES = 24 * 1024 * 1024


class CannotMount(Exception):
    """Only root mounts a disk, and not everywhere."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of its own at a folder that is made. Errors: `CannotMount`."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        raise CannotMount(f"a small disk cannot be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """The disk has no byte left meanwhile."""
    with (folder / "filling").open("wb", buffering=0) as filling:
        try:
            while True:
                filling.write(b"x" * 4096)
        except OSError as full:
            if full.errno != errno.ENOSPC:
                raise
        try:
            yield
        finally:
            (folder / "filling").unlink()
