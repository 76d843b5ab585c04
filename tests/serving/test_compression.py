"""Pages go out compressed, unless the client cannot read that or it gains nothing."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from serving.static_files import CompressedPagesMiddleware

ACCEPTS = {"Accept-Encoding": "br, gzip"}
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
