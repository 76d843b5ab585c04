"""Static files go out from memory, in front of the pages, with the headers that pages have."""

import gzip
from types import SimpleNamespace

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory, override_settings

from config.settings import BASE_DIR
from look.bundles import BUNDLES
from serving.server.static_files import CompressedPagesMiddleware, StaticFilesFirst

STYLE = "/static/look/base.css"
FONT = "/static/vendor/geist/geist-latin-wght-normal.woff2"
ACCEPTS = {"Accept-Encoding": "br, gzip"}


async def pages(scope, receive, send):
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


@pytest.fixture(scope="module")
def application():
    return StaticFilesFirst(pages)


async def answered(application, path, method="GET", **headers):
    """What a client is told: the status, the headers by name, and the bytes."""
    sent = {"host": "testserver"} | {name.lower(): value for name, value in headers.items()}
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path, "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
    }  # fmt: skip
    browser = ApplicationCommunicator(application, scope)
    await browser.send_input({"type": "http.request"})
    start, body = await browser.receive_output(), await browser.receive_output()
    told = {name.decode(): value.decode() for name, value in start["headers"]}
    return SimpleNamespace(status=start["status"], headers=told, content=body["body"])


@pytest.fixture
def fetched(application):
    return lambda path, **more: answered(application, path, **more)


async def test_a_style_sheet_goes_out_compressed_to_a_browser_that_reads_it_so(fetched):
    whole = (BASE_DIR / "static" / "look" / "base.css").read_bytes()
    answer = await fetched(STYLE, **ACCEPTS)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert int(answer.headers["Content-Length"]) == len(answer.content) < len(whole) / 2
    assert gzip.decompress(answer.content) == whole
    plain = await fetched(STYLE)
    assert "Content-Encoding" not in plain.headers
    assert plain.content == whole
    assert plain.headers["Content-Type"] == answer.headers["Content-Type"] == 'text/css; charset="utf-8"'


@pytest.mark.parametrize("bundle", BUNDLES)
async def test_a_bundle_is_its_style_sheets_in_their_order(fetched, bundle):
    parts = [await fetched(f"/static/{name}") for name in BUNDLES[bundle]]
    answer = await fetched(f"/static/{bundle}", **ACCEPTS)
    assert gzip.decompress(answer.content) == b"\n".join(part.content for part in parts)
    assert answer.headers["Content-Type"] == parts[0].headers["Content-Type"]
    assert answer.headers["ETag"] not in {part.headers["ETag"] for part in parts}
    again = await fetched(f"/static/{bundle}", **{"If-None-Match": answer.headers["ETag"]})
    assert again.status == 304


async def test_a_font_is_not_compressed_again(fetched):
    answer = await fetched(FONT, **ACCEPTS)
    assert "Content-Encoding" not in answer.headers
    assert answer.content.startswith(b"wOF2")


async def test_a_browser_that_has_the_file_is_told_so(fetched):
    first = await fetched(STYLE, **ACCEPTS)
    for known in ({"If-None-Match": first.headers["ETag"]}, {"If-Modified-Since": first.headers["Last-Modified"]}):
        again = await fetched(STYLE, **ACCEPTS, **known)
        assert (again.status, again.content) == (304, b"")
    assert (await fetched(STYLE, **ACCEPTS, **{"If-None-Match": '"another"'})).status == 200


@pytest.mark.parametrize("path", [STYLE, *(f"/static/{bundle}" for bundle in BUNDLES)])
async def test_a_head_names_the_length_and_sends_nothing(fetched, path):
    answer = await fetched(path, method="HEAD", **ACCEPTS)
    assert (answer.status, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == (await fetched(path, **ACCEPTS)).headers["Content-Length"]


async def test_what_is_no_static_file_is_for_the_pages(fetched):
    for path, method in (("/static/nothing.css", "GET"), ("/", "GET"), (STYLE, "POST")):
        answer = await fetched(path, method=method)
        assert (answer.status, answer.content) == (299, path.encode())


async def test_a_static_file_has_the_headers_that_keep_pages_safe(fetched):
    headers = (await fetched(STYLE)).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Referrer-Policy" in headers


async def test_where_everything_is_https_a_static_file_is_too():
    with override_settings(SECURE_SSL_REDIRECT=True, SECURE_HSTS_SECONDS=60):
        safe = StaticFilesFirst(pages)
    answer = await answered(safe, STYLE)
    assert (answer.status, answer.headers["Location"]) == (301, f"https://testserver{STYLE}")
    # An address that is not ours is refused where that is done.
    assert (await answered(safe, STYLE, host="elsewhere.example")).status == 299


def test_what_is_looked_up_anew_is_not_kept():
    with override_settings(SERVESTATIC_AUTOREFRESH=True):
        assert StaticFilesFirst(pages).files == {}


PAGE = "<p>一段话</p>" * 100


@pytest.mark.django_db
def test_a_page_goes_out_compressed_and_hides_its_length():
    answers = [Client().get("/login/", headers=ACCEPTS) for _ in range(8)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert len({len(answer.content) for answer in answers}) > 1
    assert b"csrfmiddlewaretoken" in gzip.decompress(answers[0].content)
    assert "Content-Encoding" not in Client().get("/login/")


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(PAGE, content_type="application/json"),
        StreamingHttpResponse([PAGE.encode()], content_type="text/html"),
    ],
)
def test_what_is_no_page_or_is_streamed_is_left_alone(response):
    request = RequestFactory().get("/", headers=ACCEPTS)
    assert "Content-Encoding" not in CompressedPagesMiddleware(lambda request: response)(request)


def test_what_is_a_page_is_compressed():
    request = RequestFactory().get("/", headers=ACCEPTS)
    assert CompressedPagesMiddleware(lambda request: HttpResponse(PAGE))(request)["Content-Encoding"] == "gzip"
