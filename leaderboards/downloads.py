"""Sends an export while it is read. Django would collect a generator whole before it sends the first byte under ASGI."""

from asyncio import get_running_loop
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.db import connections
from django.http import StreamingHttpResponse


class Download(StreamingHttpResponse):
    """A file sent piece by piece; the next piece is read when the client has taken the last (`serving/bounded_requests.py`)."""

    def __init__(self, pieces: Iterator[str], *, name: str, content_type: str) -> None:
        super().__init__(pieces, content_type=content_type)
        self["Content-Disposition"] = f'attachment; filename="{name}"'

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: Iterator[bytes] = iter(self.streaming_content)  # type: ignore[arg-type]
        # Not Django's database thread: pages would wait for every piece. One thread, so one connection per download.
        thread = ThreadPoolExecutor(1, thread_name_prefix="download")
        try:
            while (piece := await get_running_loop().run_in_executor(thread, next, pieces, None)) is not None:
                yield piece
        finally:
            thread.submit(connections.close_all)
            thread.shutdown(wait=False)
