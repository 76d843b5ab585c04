"""Takes files of ours from the reach of other users: the umask of the settings only acts on files that are made anew."""

import os
import stat
from collections.abc import Iterable

SQLITE_COMPANIONS = ("", "-wal", "-shm", "-journal", "-turns")


def make_database_private(database: str) -> None:
    """An SQLite database that an earlier release or another umask made readable to others, with its companions.

    The database comes first: SQLite gives companions that it makes anew the mode of the database.
    """
    make_private(f"{database}{ending}" for ending in SQLITE_COMPANIONS)


def make_private(paths: Iterable[str]) -> None:
    for path in paths:
        try:
            file = os.stat(path)
        except OSError:
            continue
        mode = stat.S_IMODE(file.st_mode)
        # Files of another user are that user's business.
        if stat.S_ISREG(file.st_mode) and file.st_uid == os.geteuid() and mode & 0o077:
            os.chmod(path, mode & 0o700)
