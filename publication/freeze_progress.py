"""How far a freeze is, for the page that waits."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import DatabaseError, connection, connections
from django.db.models import QuerySet

from leaderboards.computations import noting_progress
from measures.samples import ReportProgress, say_nothing
from publication.models import FreezeOrder

logger = logging.getLogger(__name__)


@contextmanager
def noting_beside(order: QuerySet[FreezeOrder]) -> Iterator[ReportProgress]:
    """Gives what notes progress in the order.

    The bundle is read from one state of the database: a note on that connection would end it, or be undone with it. So notes have a
    connection of their own; within a transaction of the caller's it is that one, as for the bundle.
    """
    note = noting_progress(order, say_nothing)
    if connection.in_atomic_block:
        yield note
        return
    with ThreadPoolExecutor(1, thread_name_prefix="freeze-progress") as thread:

        def note_beside(share: float) -> None:
            try:
                thread.submit(note, share).result()
            except DatabaseError:
                # Nobody loses a bundle of minutes because its progress could not be told.
                logger.warning("the progress of a freeze was not noted", exc_info=True)

        try:
            yield note_beside
        finally:
            thread.submit(connections.close_all)
