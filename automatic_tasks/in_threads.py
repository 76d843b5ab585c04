"""How the worker's event loop reaches the database and the processor without standing still."""

from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections


async def in_database(action: Any, *args: Any, **kwargs: Any) -> Any:
    """Short writes and reads, one at a time."""
    return await sync_to_async(_with_fresh_connection, thread_sensitive=True)(partial(action, *args, **kwargs))


async def in_thread(work: Any, *args: Any) -> Any:
    """Long computations, beside the heartbeat."""
    return await sync_to_async(_with_fresh_connection, thread_sensitive=False)(partial(work, *args))


def _with_fresh_connection(work: Any) -> Any:
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()
