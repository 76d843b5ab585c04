"""Sends an export while it is read. Django would collect a generator whole before it sends the first byte under ASGI."""

from asyncio import get_running_loop
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import connections
from django.http import StreamingHttpResponse
from django.utils.translation import activate, get_language

from campaigns.models import Campaign
from leaderboards.exports import EXPORTS, pieces_of
from leaderboards.table_files import FORMATS
from leaderboards.table_files.text_files import Block


class ReadAhead:
    """Blocks of rows; once `begun`, a thread of its own reads the next while this one is written in its format.

    The database writes a block without the interpreter, so both go on at once. Memory holds two blocks.
    """

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._thread: ThreadPoolExecutor | None = None
        # A request's language ends with it, before its download is read.
        self._language = get_language()

    def begin(self) -> None:
        self._thread = ThreadPoolExecutor(
            1, thread_name_prefix="download-reader", initializer=activate, initargs=(self._language,)
        )

    def end(self) -> None:
        if self._thread is not None:
            # After what it reads: the connection is the thread's.
            self._thread.submit(connections.close_all)
            self._thread.shutdown(wait=False)

    def __iter__(self) -> Iterator[Block]:
        if self._thread is None:
            yield from self._blocks
            return
        read = partial(self._thread.submit, next, self._blocks, None)
        following = read()
        while (block := following.result()) is not None:
            following = read()
            yield block


class Download(StreamingHttpResponse):
    """A file sent piece by piece; one piece is read ahead of the client (`serving/server/bounded_requests.py`)."""

    def __init__(
        self, pieces: Iterator[bytes], *, name: str, content_type: str, blocks: ReadAhead | None = None
    ) -> None:
        super().__init__(pieces, content_type=content_type)
        self._pieces = pieces
        self._blocks = blocks
        self["Content-Disposition"] = f'attachment; filename="{name}"'

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: Iterator[bytes] = iter(self.streaming_content)  # type: ignore[arg-type]
        # Not Django's database thread: pages would wait for every piece. One thread reads, so one connection per download.
        thread = ThreadPoolExecutor(1, thread_name_prefix="download")
        read = partial(get_running_loop().run_in_executor, thread, next, pieces, None)
        if self._blocks is not None:
            self._blocks.begin()
        try:
            following = read()
            while (piece := await following) is not None:
                # Read while the client takes the one before; not further ahead, so that memory holds two pieces.
                following = read()
                yield piece
        finally:
            # In its own thread, behind the piece that is being read: there the pieces give back what they hold.
            thread.submit(self._close)
            thread.shutdown(wait=False)

    def _close(self) -> None:
        if isinstance(self._pieces, Generator):
            self._pieces.close()
        if self._blocks is not None:
            self._blocks.end()
        connections.close_all()


def table_download(campaign: Campaign, what: str, format: str) -> Download:
    """An export as a file to download."""
    blocks = ReadAhead(EXPORTS[what].blocks(campaign))
    pieces = pieces_of(what, campaign, format, blocks)
    name = f"{campaign.slug}-{what}.{format}"
    return Download(pieces, name=name, content_type=FORMATS[format].content_type, blocks=blocks)
