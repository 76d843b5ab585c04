"""A request is handed to its thread once, with all that stands between the server and the view."""

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from serving.page_handler import PageHandler

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
