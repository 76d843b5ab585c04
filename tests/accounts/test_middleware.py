"""Cookies that no database holds are dropped before anything is looked up by them."""

import asyncio

from django.http import HttpResponse
from django.test import RequestFactory

from accounts.middleware import StorableCookiesMiddleware, StorableCookiesOfSockets, storable_cookies


def test_only_cookies_that_a_database_can_hold_are_left():
    cookies = {"theme": "dark", "sessionid": "\x00aaaa", "odd\x00": "x", "half": "\ud800"}
    assert storable_cookies(cookies) == {"theme": "dark"}


def test_a_page_never_sees_a_cookie_that_cannot_be_stored():
    seen = []

    def page(request):
        seen.append(dict(request.COOKIES))
        return HttpResponse()

    header = 'huace_theme=dark; sessionid="\\000aaaa"'
    StorableCookiesMiddleware(page)(RequestFactory().get("/", headers={"Cookie": header}))
    assert seen == [{"huace_theme": "dark"}]


def test_neither_does_a_socket():
    seen = []

    async def socket(scope, receive, send):
        seen.append(scope)

    given = {"type": "websocket", "cookies": {"huace_theme": "dark", "sessionid": "\x00aaaa"}}
    asyncio.run(StorableCookiesOfSockets(socket)(given, None, None))
    assert seen == [{"type": "websocket", "cookies": {"huace_theme": "dark"}}]
