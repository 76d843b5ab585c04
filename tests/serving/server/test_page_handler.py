"""A request is handed to its thread once, with all that stands between the server and the view."""

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from channels.sessions import CookieMiddleware
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from serving.server.page_handler import PageHandler, PlainCookies
from tests.linear_time import assert_linear

urlpatterns = [path("page/", lambda request: HttpResponse(request.path))]


class Synchronous:
    """As most middleware of ours is."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)


BOTH = "django.middleware.clickjacking.XFrameOptionsMiddleware"


async def answered(handler):
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": "/page/", "query_string": b"",
        "headers": [(b"host", b"testserver")],
    }  # fmt: skip
    browser = ApplicationCommunicator(handler, scope)
    await browser.send_input({"type": "http.request"})
    start, body = await browser.receive_output(), await browser.receive_output()
    await browser.wait()
    return start, body["body"]


@pytest.mark.django_db
async def test_middleware_and_view_take_one_step_into_the_thread(monkeypatch):
    steps = []
    step = SyncToAsync.__call__

    async def counted(self, *args, **kwargs):
        steps.append(self)
        return await step(self, *args, **kwargs)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[BOTH, f"{__name__}.Synchronous", BOTH]):
        n_steps = []
        for handler in (PageHandler(), ASGIHandler()):
            steps.clear()
            start, body = await answered(handler)
            assert (start["status"], body) == (200, b"/page/")
            assert (b"X-Frame-Options", b"DENY") in start["headers"]
            n_steps.append(len(steps))
    # The signal before it, the page, the closing of its answer.
    assert n_steps[0] == 3 < n_steps[1]


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
