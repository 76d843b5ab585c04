"""Pages and static files go out compressed, unless the client cannot read that or it gains nothing."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import AsyncClient, Client, RequestFactory

from config.settings import BASE_DIR
from look.bundles import BUNDLES
from serving.compression import CompressedPagesMiddleware

STYLE = "/static/look/base.css"
FONT = "/static/vendor/geist/geist-latin-wght-normal.woff2"
ACCEPTS = {"Accept-Encoding": "br, gzip"}
PAGE = "<p>一段话</p>" * 100


async def fetched(path, **headers):
    return await AsyncClient().get(path, headers=headers)


async def test_a_style_sheet_goes_out_compressed_to_a_browser_that_reads_it_so():
    whole = (BASE_DIR / "static" / "look" / "base.css").read_bytes()
    answer = await fetched(STYLE, **ACCEPTS)
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Vary"] == "Accept-Encoding"
    assert int(answer["Content-Length"]) == len(answer.content) < len(whole) / 2
    assert gzip.decompress(answer.content) == whole
    plain = await fetched(STYLE)
    assert "Content-Encoding" not in plain
    assert plain.content == whole
    assert plain["Content-Type"] == answer["Content-Type"] == 'text/css; charset="utf-8"'


@pytest.mark.parametrize("bundle", BUNDLES)
async def test_a_bundle_is_its_style_sheets_in_their_order(bundle):
    parts = [await fetched(f"/static/{name}") for name in BUNDLES[bundle]]
    answer = await fetched(f"/static/{bundle}", **ACCEPTS)
    assert gzip.decompress(answer.content) == b"\n".join(part.content for part in parts)
    assert answer["Content-Type"] == parts[0]["Content-Type"]
    assert answer["ETag"] not in {part["ETag"] for part in parts}
    again = await fetched(f"/static/{bundle}", **{"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


async def test_a_font_is_not_compressed_again():
    answer = await fetched(FONT, **ACCEPTS)
    assert "Content-Encoding" not in answer
    assert answer.content.startswith(b"wOF2")


async def test_a_browser_that_has_the_file_is_told_so():
    first = await fetched(STYLE, **ACCEPTS)
    for known in ({"If-None-Match": first["ETag"]}, {"If-Modified-Since": first["Last-Modified"]}):
        again = await fetched(STYLE, **ACCEPTS, **known)
        assert (again.status_code, again.content) == (304, b"")
    assert (await fetched(STYLE, **ACCEPTS, **{"If-None-Match": '"another"'})).status_code == 200


@pytest.mark.parametrize("path", [STYLE, *(f"/static/{bundle}" for bundle in BUNDLES)])
async def test_a_head_names_the_length_and_sends_nothing(path):
    answer = await AsyncClient().head(path, headers=ACCEPTS)
    assert (answer.status_code, answer.getvalue()) == (200, b"")
    assert answer["Content-Length"] == (await fetched(path, **ACCEPTS))["Content-Length"]


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
