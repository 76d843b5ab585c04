"""Sends an export while it is read. Django would collect a generator whole before it sends the first byte under ASGI."""

from asyncio import get_running_loop
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import connections
from django.http import Http404, StreamingHttpResponse

from campaigns.models import Campaign
from leaderboards.export_formats import FORMATS
from leaderboards.exports import EXPORTS, pieces


class Download(StreamingHttpResponse):
    """A file sent piece by piece; one piece is read ahead of the client (`serving/bounded_requests.py`)."""

    def __init__(self, pieces: Iterator[bytes], *, name: str, content_type: str) -> None:
        super().__init__(pieces, content_type=content_type)
        self["Content-Disposition"] = f'attachment; filename="{name}"'

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces: Iterator[bytes] = iter(self.streaming_content)  # type: ignore[arg-type]
        # Not Django's database thread: pages would wait for every piece. One thread, so one connection per download.
        thread = ThreadPoolExecutor(1, thread_name_prefix="download")
        read = partial(get_running_loop().run_in_executor, thread, next, pieces, None)
        try:
            following = read()
            while (piece := await following) is not None:
                # Read while the client takes the one before; not further ahead, so that memory holds two pieces.
                following = read()
                yield piece
        finally:
            thread.submit(connections.close_all)
            thread.shutdown(wait=False)


def download_of(campaign: Campaign, what: str, format: str) -> Download:
    """An export as a file to download; 404 for what there is not."""
    if what not in EXPORTS or format not in FORMATS:
        raise Http404
    name = f"{campaign.slug}-{what}.{format}"
    return Download(pieces(what, campaign, format), name=name, content_type=FORMATS[format].content_type)
