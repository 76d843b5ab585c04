"""Cookies with escapes never reach the parsers, which take quadratic time for them."""

import pytest
from channels.sessions import CookieMiddleware

from serving.plain_cookies import PlainCookies
from tests.linear_time import assert_linear


async def headers_behind(*headers):
    seen = []

    async def inner(scope, receive, send):
        seen.append(scope["headers"])

    await PlainCookies(inner)({"type": "http", "headers": list(headers)}, None, None)
    return seen[0]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"sessionid=a; csrftoken=b", b"sessionid=a; csrftoken=b"),
        (rb'sessionid=a; theirs="\"x\""; csrftoken=b', b"sessionid=a; csrftoken=b"),
        (rb'theirs="\\"', b""),
    ],
)
async def test_a_cookie_with_a_backslash_is_dropped_and_the_others_are_kept(sent, kept):
    other = (b"x-escaped", rb"\a")
    assert await headers_behind((b"cookie", sent), other) == [(b"cookie", kept), other]


async def test_requests_without_cookies_pass_as_they_are():
    assert await headers_behind((b"host", b"a")) == [(b"host", b"a")]


async def test_the_lifespan_of_a_server_has_no_headers():
    seen = []

    async def inner(scope, receive, send):
        seen.append(scope)

    await PlainCookies(inner)({"type": "lifespan"}, None, None)
    assert seen == [{"type": "lifespan"}]


@pytest.mark.parametrize("escape", [b'\\"', b"\\\\", b"\\0"], ids=["quotes", "backslashes", "octal"])
def test_cookies_of_a_socket_cost_linear_time(escape):
    async def read(scope, receive, send):
        assert isinstance(scope["cookies"], dict)

    application = PlainCookies(CookieMiddleware(read))

    def answer(cookie):
        work = application({"type": "websocket", "headers": [(b"cookie", cookie)]}, None, None)
        with pytest.raises(StopIteration):
            work.send(None)

    assert_linear(answer, lambda size: b'a="' + escape * (size // 2) + b'"', sizes=(8_000, 16_000, 32_000))


def test_the_site_reads_no_cookie_before_that():
    from config.asgi import application

    assert isinstance(application, PlainCookies)
