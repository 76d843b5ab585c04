"""The pictures of dialogues in the storage: each under its dialogue and its content's name, for as long as a turn's texts name it."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import QuerySet

from dialogues.models import Attempt, Dialogue, Turn
from participants.picture_lines import picture_said
from serving.stored_files import keep, remove_files, remove_folders, stored_files

# What a backup may store.
FILE = re.compile(r"pictures/[0-9a-f-]{36}/[0-9a-f]{64}\.[a-z]{3,4}")


def file_of(dialogue_id: UUID, name: str) -> str:
    return f"pictures/{dialogue_id}/{name}"


async def keep_picture(dialogue_id: UUID, name: str, content: bytes) -> None:
    """Errors: `OSError`."""
    # A storage may take its time: no database thread waits for it.
    await sync_to_async(keep, thread_sensitive=False)(file_of(dialogue_id, name), content)


def files_of(dialogues: QuerySet[Dialogue] | Collection[UUID]) -> set[str]:
    """The files of all pictures that turns of the dialogues name, or late replies. A reply may say such a line by itself: then there is no file."""
    turns = Turn.objects.filter(dialogue__in=dialogues, texts__icontains="[image ")
    came = Attempt.objects.filter(turn__dialogue__in=dialogues, texts__icontains="[image ")
    said = (
        turns.values_list("dialogue_id", "texts").iterator(),
        came.values_list("turn__dialogue_id", "texts").iterator(),
    )
    return {file_of(dialogue_id, name) for dialogue_id, texts in chain(*said) for name in names_in(texts)}


def content_of(file: str) -> bytes:
    """Errors: `OSError`; `FileNotFoundError` where a line only looks like a picture's."""
    with stored_files().reading(file) as stored:
        return stored.read()


def is_whole(file: str, content: bytes) -> bool:
    """Whether the content is what the file's name says."""
    return hashlib.sha256(content).hexdigest() == PurePosixPath(file).stem


def names_in(texts: Iterable[str]) -> Iterator[str]:
    pictures = (picture_said(text) for text in texts)
    return (picture.name for picture in pictures if picture is not None and picture.name)


def is_named(dialogue: Dialogue, name: str) -> bool:
    return file_of(dialogue.pk, name) in files_of([dialogue.pk])


def remove_all(dialogues: Iterable[UUID]) -> None:
    """Removes every picture of the dialogues, also those of calls that ended before anything named them."""
    remove_folders(f"pictures/{dialogue}" for dialogue in dialogues)


@contextmanager
def removing_unnamed(dialogues: Collection[UUID]) -> Iterator[None]:
    """Around a change of texts: pictures that are named no more go with its commit."""
    before = files_of(dialogues)
    yield
    if gone := before - files_of(dialogues):
        transaction.on_commit(partial(remove_files, gone))
