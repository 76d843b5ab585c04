"""What is looked at of the storage: its libraries whenever a command starts, the storage itself by `manage.py check --deploy`."""

import secrets
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.db import DatabaseError
from django.utils.module_loading import import_string

from serving.machines import host_of, others_there
from serving.stored_files import FilesOnDisk, StoredFiles, stored_files


@register()
def storage_has_its_libraries(**named: Any) -> list[CheckMessage]:
    try:
        import_string(settings.STORAGES["default"]["BACKEND"])
    except ImportError:
        said = "HUACE_STORAGE_URL is set, and the libraries for it are missing."
        return [Error(said, hint="Install the extra s3: django-storages and boto3.", id="huace.E010")]
    return []


@register(deploy=True)
def storage_is_there(**named: Any) -> list[CheckMessage]:
    if storage_has_its_libraries():
        return []
    files = stored_files()
    if isinstance(files, FilesOnDisk) and (others := _machines_there()):
        said = f"Bundles of frozen boards and systems' pictures stand on this machine's disk; {others[0]} serves them, too."
        hint = "Set HUACE_STORAGE_URL to S3-compatible storage on both, unless HUACE_HOME is one volume of both."
        return [Warning(said, hint=hint, id="huace.W010")]
    if wrong := files.refusal():
        hint = "Compare HUACE_STORAGE_URL (or HUACE_HOME) with the storage: address, bucket, key and its rights."
        return [Error(f"The storage of bundles {wrong}.", hint=hint, id="huace.E011")]
    try:
        _write_and_remove(files)
    except OSError as refused:
        said = f"The storage of bundles can be read, and a file cannot be stored there and removed again: {refused}"
        hint = "Compare the rights of the key in HUACE_STORAGE_URL with what the guide names: read, write and delete."
        return [Error(said, hint=hint, id="huace.E012")]
    return []


def _machines_there() -> list[str]:
    """Other machines that serve now; none before the database has its tables."""
    try:
        return [host_of(process) for process in others_there()]
    except DatabaseError:
        return []


def _write_and_remove(files: StoredFiles) -> None:
    """As a bundle would be: a key may be allowed to read alone. Errors: `OSError`."""
    with NamedTemporaryFile(dir=files.drafts(), suffix=".part", delete=False) as draft:
        draft.write(b"manage.py check --deploy")
    try:
        name = f"bundles/check-{secrets.token_hex(8)}"
        files.put(name, Path(draft.name))
        files.remove(name)
    finally:
        Path(draft.name).unlink(missing_ok=True)
