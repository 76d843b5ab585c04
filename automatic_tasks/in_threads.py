"""How the worker's event loop reaches the database and the processor without standing still."""

from functools import partial
from typing import Any

from asgiref.sync import sync_to_async

from serving.database_threads import with_closed_connection, with_usable_connection


async def in_database(action: Any, *args: Any, **kwargs: Any) -> Any:
    """Short writes and reads, one at a time."""
    return await sync_to_async(with_usable_connection)(partial(action, *args, **kwargs))


async def in_thread(work: Any, *args: Any) -> Any:
    """Long computations, beside the heartbeat."""
    return await sync_to_async(with_closed_connection, thread_sensitive=False)(work, *args)
