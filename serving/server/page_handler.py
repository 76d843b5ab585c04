"""How a request reaches Django's pages: with one step into a thread, and without cookies that take quadratic time to read."""

from collections.abc import Awaitable, Callable
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase

from serving.database_threads import RequestThreads


class PageHandler(ASGIHandler):
    """Answers a request as a whole, middleware and view, in the request's thread.

    All of it is synchronous here. Django's own handler would come back to the event loop at each middleware that can do
    both: a page waited a dozen times for the loop, then for its thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self.threads = RequestThreads()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # As Django's, with a thread that is used again.
        async with self.threads.lent():
            await self.handle(scope, receive, send)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        # Sensitive to the thread: the signals before and after it look after the database connection that it uses.
        response: Any = await sync_to_async(self.get_response, thread_sensitive=True)(request)
        # The rest is as in Django.
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response


def page_handler() -> PageHandler:
    """As `get_asgi_application`."""
    django.setup(set_prefix=False)
    return PageHandler()


class PlainCookies:
    """Drops cookies with a backslash before any part of a request reads them. The site's own cookies have none.

    Python before 3.11.10 and 3.12.6 takes quadratic time for the escapes of a quoted value: 0.3 s for 16 KB, of sockets on the event loop.
    """

    def __init__(self, inner: Callable[..., Awaitable[None]]) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if any(name == b"cookie" and b"\\" in value for name, value in scope.get("headers", ())):
            scope = scope | {"headers": [_plain(header) for header in scope["headers"]]}
        await self.inner(scope, receive, send)


def _plain(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    name, value = header
    if name != b"cookie":
        return header
    return name, b";".join(cookie for cookie in value.split(b";") if b"\\" not in cookie)
