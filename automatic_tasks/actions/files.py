"""Stores files: gold, noise and runs, each content once."""

import hashlib

from automatic_tasks.models import StoredFile


def keep_file(content: bytes) -> StoredFile:
    """The stored file with these bytes."""
    file, _ = StoredFile.objects.get_or_create(
        sha256=hashlib.sha256(content).hexdigest(), defaults={"content": content}
    )
    return file
