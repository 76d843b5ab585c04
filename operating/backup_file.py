"""The file of a backup: a zip of `about.json`, the rows of each table, the bundles and the pictures of dialogues; encrypted where a passphrase is given.

An encrypted one is a zip of two files that the program `age` opens: `key.age`, under the passphrase, and `backup.zip.age`,
under that key. Nothing of it is on the disk in the clear while it is written.
"""

import hashlib
import json
import os
import re
import shutil
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import pyrage
from django.conf import settings

FORMAT = "huace-backup/1"
ABOUT = "about.json"
SECRET_KEY = "secret_key"
BUNDLES = "bundles/"
_KEY, _SEALED = "key.age", "backup.zip.age"
# Rows shrink to a fifth at level 1 already, and a backup shares its machine with those who talk.
_LEVEL = 1


class BadBackup(Exception):
    """What is wrong with the file, and what to do."""


@contextmanager
def written(path: Path, passphrase: str) -> Iterator[ZipFile]:
    """A new archive that gets its name once it is whole and on the disk: nobody finds half of one. Errors: `OSError`."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        # Only its own user may read it; the name must be new, or a link would lead elsewhere.
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with _sealed(file, passphrase) if passphrase else _plain(file) as archive:
                yield archive
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
        _fsync(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _fsync(folder: Path) -> None:
    """Has the folder itself outlive a crash, with the names in it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _plain(file: IO[bytes]) -> Iterator[ZipFile]:
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        yield archive


@contextmanager
def _sealed(file: IO[bytes], passphrase: str) -> Iterator[ZipFile]:
    identity = pyrage.x25519.Identity.generate()
    with ZipFile(file, "w", ZIP_STORED) as outer:
        outer.writestr(_KEY, pyrage.passphrase.encrypt(str(identity).encode(), passphrase))
        with (
            outer.open(_SEALED, "w", force_zip64=True) as member,
            _encrypting(member, identity) as clear,
            _plain(clear) as archive,
        ):
            yield archive


@contextmanager
def _encrypting(to: IO[bytes], identity: Any) -> Iterator[IO[bytes]]:
    """A file whose content arrives encrypted; the library pulls, so a thread hands it what is written here."""
    reading, writing = os.pipe()
    failed: list[Exception] = []

    def encrypt() -> None:
        with open(reading, "rb") as clear:
            try:
                pyrage.encrypt_io(clear, to, [identity.to_public()])
            except Exception as failure:
                failed.append(failure)

    thread = threading.Thread(target=encrypt, name="backup-encryption")
    thread.start()
    try:
        with open(writing, "wb") as clear:
            yield clear
    except BrokenPipeError:
        # The thread has ended, and knows why.
        if not failed:
            raise
    finally:
        thread.join()
    if failed:
        raise failed[0]


@contextmanager
def opened(path: Path, passphrase: str) -> Iterator[ZipFile]:
    """The archive, read once from end to end before anybody relies on it. Errors: `BadBackup`."""
    with ExitStack() as files:
        try:
            archive = files.enter_context(ZipFile(path))
            if _SEALED in archive.namelist():
                # It has no name, is readable by us alone, and goes with the process.
                clear = files.enter_context(TemporaryFile(dir=settings.VAR_DIR))
                _decrypt(archive, passphrase, cast(BinaryIO, clear))
                archive = files.enter_context(ZipFile(clear))
            if damaged := archive.testzip():
                raise BadBackup(f"{damaged} in the backup is damaged. Take another one.")
        # The last three: members that no backup of ours has, or lacks.
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError) as broken:
            sentence = f"{path} is no whole backup ({broken}): it was cut off or changed. Take another one."
            raise BadBackup(sentence) from broken
        except OSError as unreadable:
            raise BadBackup(f"{path} cannot be read: {unreadable}.") from unreadable
        yield archive


def _decrypt(outer: ZipFile, passphrase: str, to: BinaryIO) -> None:
    if not passphrase:
        raise BadBackup("The backup is encrypted: name the file with its passphrase (--passphrase-file).")
    try:
        identity = pyrage.x25519.Identity.from_str(pyrage.passphrase.decrypt(outer.read(_KEY), passphrase).decode())
    except pyrage.DecryptError as wrong:
        raise BadBackup("The passphrase does not open this backup.") from wrong
    with outer.open(_SEALED) as sealed:
        try:
            pyrage.decrypt_io(sealed, to, [identity])
        except (pyrage.DecryptError, OSError) as broken:
            raise BadBackup("The backup was cut off or changed after it was encrypted. Take another one.") from broken
    to.seek(0)


def about(archive: ZipFile) -> dict[str, Any]:
    """What the backup says of itself. Errors: `BadBackup`."""
    with suppress(KeyError, ValueError, TypeError):
        said: dict[str, Any] = json.loads(archive.read(ABOUT))
        # They become names of files.
        if said["format"] == FORMAT and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in said["bundles"]):
            return said
    raise BadBackup(f"This is no backup of the format {FORMAT}. `manage.py backup` writes one.")


def copy_in(archive: ZipFile, name: str, source: IO[bytes]) -> None:
    """Puts the file into the archive as it is: bundles are compressed already. Errors: `OSError`."""
    with source, archive.open(name, "w", force_zip64=True) as member:
        shutil.copyfileobj(source, member, 1 << 20)


def copy_out(archive: ZipFile, name: str, to: IO[bytes], digest: str) -> None:
    """Writes a member into the file. Errors: `OSError`; `BadBackup` where it has another digest."""
    found = hashlib.sha256()
    with archive.open(name) as member:
        while piece := member.read(1 << 20):
            found.update(piece)
            to.write(piece)
    if found.hexdigest() != digest:
        raise BadBackup(f"{name} in the backup is not what its digest says. Take another one.")


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
