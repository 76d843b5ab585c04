"""Rows that are computed beside the pages: one process computes each, notes how far it is, and lets it rest afterwards."""

import math
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q, QuerySet

if TYPE_CHECKING:
    from measures.samples import ReportProgress

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

NOTED_EVERY_S = 1.0


class Computed(models.Model):
    """When it was computed last, and of a computation under way since when and how much of it is done.

    It is not recomputed before `next_at`. `share_done` is None unless a long computation runs.
    """

    computed_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    began_at = models.DateTimeField(null=True, blank=True)
    share_done = models.FloatField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def percent_done(self) -> int | None:
        return percent_of(self.share_done)


def percent_of(share: float | None) -> int | None:
    return None if share is None else int(100 * share)


def free(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    """Rows that are neither being computed nor resting."""
    return rows.filter(Q(next_at=None) | Q(next_at__lte=at))


def claim(rows: QuerySet[Any], *, at: datetime, given_up_after: timedelta) -> bool:
    """Reserves the computation of one row; False where another process has it, or it was done just now."""
    one = free(rows, at)
    # Look first: idle passes write nothing.
    return one.exists() and bool(one.update(next_at=at + given_up_after, began_at=at))


def part_of(report_progress: "ReportProgress", start: float, end: float) -> "ReportProgress":
    """Reports a computation that is a part of a longer one: its own share within `start` to `end` of the whole."""
    return lambda share: report_progress(start + (end - start) * share)


def noting_progress(rows: QuerySet[Any], report_progress: "ReportProgress") -> "ReportProgress":
    """Reports it, and notes it for the page that waits: at once, then once a second at most, since each note is a write."""
    noted_at = -math.inf

    def note(share: float) -> None:
        nonlocal noted_at
        # Report first: it may end the computation, after which nothing must be written.
        report_progress(share)
        if time.monotonic() - noted_at >= NOTED_EVERY_S:
            noted_at = time.monotonic()
            rows.update(share_done=share)

    note(0.0)
    return note


@contextmanager
def one_state_of_the_database() -> Iterator[None]:
    """Everything read inside comes from one state of the database; writers do not wait for it.

    Within a transaction of the caller's it is that one's state.
    """
    if connection.in_atomic_block:
        yield
        return
    with _reading_sqlite() if connection.vendor == "sqlite" else _repeatable_read():
        yield


@contextmanager
def _reading_sqlite() -> Iterator[None]:
    # Not `atomic`, which would take the writers' turn. A deferred transaction keeps its state from its first read on.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


@contextmanager
def _repeatable_read() -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        # Comes before any other statement, or PostgreSQL refuses it.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
