"""Files that every machine of an installation reads: on this machine's disk, or in S3-compatible storage (`serving.s3_files`).

The settings say which. A file is there whole under its name or not at all. Both kinds raise `OSError`s: `FileNotFoundError`
for a file that is not there, `StorageGone` where the storage does not answer or refuses us.
"""

import errno
import logging
import os
import shutil
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import BinaryIO, Protocol, cast

from django.conf import settings
from django.core.files.storage import FileSystemStorage, storages
from django.utils.translation import gettext_noop

log = logging.getLogger("huace")

# What a killed process left so is swept by the next bundle (`publication.bundles.draft`).
DRAFT = "draft-"
# A database on the same disk waits for room; below this, a day of testing may fill it.
LEAST_FREE_BYTES = 200 << 20


class StorageGone(OSError):
    """It is unknown whether the file is there."""


class StoredFiles(Protocol):
    def drafts(self) -> Path:
        """The folder in which a new file is written before it gets its name."""

    def put(self, name: str, draft: Path) -> None:
        """Gives the draft its name, over a file that has it; the draft is gone afterwards."""

    def reading(self, name: str) -> BinaryIO:
        """The file, to be read from any place."""

    def size(self, name: str) -> int: ...

    def mark_of(self, name: str) -> Hashable:
        """Another one after each time that the file was written."""

    def remove(self, name: str) -> None:
        """Whether it is there or not."""

    def remove_folder(self, name: str) -> None:
        """With all files in it, whether it is there or not."""

    def refusal(self) -> str:
        """Why nothing can be stored now, in a few words to translate, without a host or path; empty where all is well."""


def stored_files() -> StoredFiles:
    return cast(StoredFiles, storages["default"])


def keep(name: str, content: bytes) -> None:
    """Stores a small file under its name; one that is there already has these bytes. Errors: `OSError`, also where little is free."""
    files = stored_files()
    # Small files from outside must not fill the disk that every commit needs.
    if shutil.disk_usage(files.drafts()).free < LEAST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with NamedTemporaryFile(dir=files.drafts(), prefix=DRAFT, suffix=".part", delete=False) as draft:
        try:
            draft.write(content)
            draft.flush()
            os.fsync(draft.fileno())
            files.put(name, Path(draft.name))
        finally:
            Path(draft.name).unlink(missing_ok=True)


def remove_files(names: Iterable[str]) -> None:
    """A file that outlives its rows is litter: one that cannot be removed holds up no other, a storage that is away is asked once."""
    _remove_each(names, stored_files().remove)


def remove_folders(names: Iterable[str]) -> None:
    """The same for folders with all files in them."""
    _remove_each(names, stored_files().remove_folder)


def _remove_each(names: Iterable[str], remove: Callable[[str], None]) -> None:
    for name in names:
        try:
            remove(name)
        except OSError as failed:
            log.warning("%s stays in the storage: %s", name, failed)
            if isinstance(failed, StorageGone):
                return


class FilesOnDisk(FileSystemStorage):
    """Below `HUACE_HOME`."""

    # Read each time: Django's own attribute is kept.
    @property
    def location(self) -> str:
        return os.path.abspath(settings.VAR_DIR)

    def drafts(self) -> Path:
        # Beside the files themselves: a rename does not lead to another disk.
        folder = Path(self.path("bundles"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def put(self, name: str, draft: Path) -> None:
        # The name of the file must outlive a crash as its row does.
        Path(self.path(name)).parent.mkdir(parents=True, exist_ok=True)
        draft.rename(self.path(name))
        self._sync(name)

    def remove(self, name: str) -> None:
        Path(self.path(name)).unlink(missing_ok=True)
        self._sync(name)

    def remove_folder(self, name: str) -> None:
        with suppress(FileNotFoundError):
            shutil.rmtree(self.path(name))

    def reading(self, name: str) -> BinaryIO:
        return open(self.path(name), "rb")

    def mark_of(self, name: str) -> Hashable:
        stored = os.stat(self.path(name))
        return stored.st_ino, stored.st_mtime_ns

    def refusal(self) -> str:
        try:
            with TemporaryFile(dir=settings.VAR_DIR) as tried:
                tried.write(b"x")
        except OSError:
            return gettext_noop("cannot be written")
        return ""

    def _sync(self, name: str) -> None:
        """Has the folder itself outlive a crash, with the names in it."""
        try:
            folder = os.open(Path(self.path(name)).parent, os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
