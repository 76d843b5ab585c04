"""A request gives back its database connection when it ends, and so does every thread beside the sockets."""

import asyncio
import gc
import os
import threading
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from automatic_tasks.service_runs import in_database, in_thread
from leaderboards.exports.downloads import Download
from serving.database_threads import IDLE_REQUEST_THREADS, DatabaseThread, look_again_and_again
from serving.server.page_handler import PageHandler

AT_ONCE = 30


def count_people():
    return get_user_model().objects.count()


class View:
    """Answers once `AT_ONCE` requests are there, so that each of them has a thread."""

    def __init__(self):
        self.together = threading.Barrier(AT_ONCE, timeout=60)

    def page(self, request):
        count_people()
        self.together.wait()
        return HttpResponse("page")


def people_in_pieces():
    for _ in range(3):
        yield str(count_people()).encode()


def broken_pieces(request):
    async def pieces():
        yield b"piece"
        raise ValueError("The rest cannot be read.")

    count_people()
    return StreamingHttpResponse(pieces())


view = View()
urlpatterns = [
    path("page/", view.page),
    path("download/", lambda request: Download(people_in_pieces(), name="a", content_type="text/plain")),
    path("broken/", broken_pieces),
]


def n_open():
    """Connections that are open in this process, whether or not any thread could still use them."""
    # By type: a lazy object of Django would be made by the question what it is.
    return sum(issubclass(type(one), BaseDatabaseWrapper) and one.connection is not None for one in gc.get_objects())


def n_handles():
    name = Path(connection.settings_dict["NAME"]).resolve()
    targets = (os.readlink(one.path) for one in os.scandir("/proc/self/fd") if os.path.islink(one.path))
    return sum(target == str(name) for target in targets)


@pytest.fixture
def uncollected():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def answered(handler, page, until_gone=None):
    """The pieces of the answer; the client leaves where `until_gone` has happened."""
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": page, "query_string": b"",
        "headers": [(b"host", b"testserver")],
    }  # fmt: skip
    coming, sent = [{"type": "http.request"}], []

    async def receive():
        if coming:
            return coming.pop()
        await (until_gone or asyncio.Event()).wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message.get("body", b""))

    await handler(scope, receive, send)
    return b"".join(sent)


async def becomes_true(condition):
    """Whether it does: threads give back what they have after the answer is sent."""
    for _ in range(100):
        if condition():
            return True
        await asyncio.sleep(0.05)
    return False


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
async def test_thirty_requests_at_once_leave_no_more_connections_than_are_kept(uncollected):
    handler, before = PageHandler(), n_open()
    handles_before = n_handles() if connection.vendor == "sqlite" else 0
    for _ in range(4):
        await asyncio.gather(*(answered(handler, "/page/") for _ in range(AT_ONCE)))
    assert await becomes_true(lambda: n_open() <= before + IDLE_REQUEST_THREADS)
    if connection.vendor == "sqlite":
        # SQLite keeps the handle of a closed connection for the next one while others are open.
        assert n_handles() - handles_before <= 2 * AT_ONCE


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
@pytest.mark.parametrize("page", ["/download/", "/broken/"])
async def test_an_answer_in_pieces_leaves_no_connection_per_request(uncollected, page):
    handler, before = PageHandler(), n_open()
    for _ in range(20):
        try:
            await answered(handler, page)
        except ValueError:
            assert page == "/broken/"
    assert await becomes_true(lambda: n_open() <= before + IDLE_REQUEST_THREADS)


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
async def test_a_client_that_leaves_in_the_middle_of_an_answer_leaves_no_connection(uncollected):
    handler, before = PageHandler(), n_open()
    has_left = asyncio.Event()
    has_left.set()
    for _ in range(20):
        await answered(handler, "/download/", has_left)
    assert await becomes_true(lambda: n_open() <= before + IDLE_REQUEST_THREADS)


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
async def test_requests_use_the_threads_and_connections_of_those_before(monkeypatch):
    seen = []

    def page(request):
        count_people()
        seen.append((threading.current_thread(), connection.connection))
        return HttpResponse("page")

    monkeypatch.setattr(urlpatterns[0], "callback", page)
    handler = PageHandler()
    for _ in range(3):
        await answered(handler, "/page/")
        assert await becomes_true(lambda: handler.threads.idle)
    assert len({thread for thread, _ in seen}) == 1
    if connection.vendor == "sqlite":
        assert len({id(opened) for _, opened in seen}) == 1


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])
async def test_a_request_waits_for_no_view_whose_client_has_left(monkeypatch):
    has_begun, may_end = threading.Event(), threading.Event()

    def page(request):
        has_begun.set()
        may_end.wait(60)
        return HttpResponse("page")

    monkeypatch.setattr(urlpatterns[0], "callback", page)
    handler, has_left = PageHandler(), asyncio.Event()
    slow = asyncio.create_task(answered(handler, "/page/", has_left))
    await asyncio.to_thread(has_begun.wait, 60)
    has_left.set()
    assert await answered(handler, "/download/") == b"000"
    may_end.set()
    await slow


@pytest.mark.django_db(transaction=True)
async def test_what_sockets_read_reuses_one_connection(uncollected):
    await sync_to_async(count_people)()
    first, before = await sync_to_async(lambda: connection.connection)(), n_open()
    for _ in range(20):
        await in_database(count_people)
    if connection.vendor == "sqlite":
        assert await sync_to_async(lambda: connection.connection)() is first
    assert n_open() <= before


@pytest.mark.django_db(transaction=True)
async def test_threads_beside_the_sockets_close_their_connections(uncollected):
    before, looks = n_open(), []

    def look():
        count_people()
        looks.append(threading.current_thread())
        if len(looks) == 3:
            raise ValueError("The third look fails.")

    with pytest.raises(ValueError, match="third look"):
        await look_again_and_again(look, every_s=0, name="looks")
    one = DatabaseThread("one")
    await one.run(count_people)
    one.end()
    await asyncio.gather(*(in_thread(count_people) for _ in range(20)))
    assert await becomes_true(lambda: n_open() <= before)
