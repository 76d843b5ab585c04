"""Bodies of the REST API: what cannot be read is named with its place, in the reader's language."""

from io import BytesIO
from types import SimpleNamespace

import pytest
from django.utils import translation
from rest_framework.exceptions import ParseError
from rest_framework.views import APIView

from api.describing import FileOf
from api.file_views import FileView
from api.parsers import WholeJSONRenderer
from tests.routes import ROUTES

# As the API is set up.
STRICT_JSON = APIView.parser_classes[0]

BAD_BODIES = [
    (b'{"a" 1}', "line 1, column 6: is not JSON: Expecting ':' delimiter", "第 1 行第 6 列: 不是 JSON："),
    (b'{"a": 1, "a": 2}', "body: is not usable JSON: a key appears twice in one object", ""),
    (b"[" * 5000, "body: is not usable JSON: nested more than 40 levels deep", ""),
    (b'"\xff"', "byte 1: is not UTF-8", "第 1 字节: 不是 UTF-8"),
    (b"[]", "body: must be an object, not a list", "必须是对象，不能是列表"),
    (b'{"a": ["\\u0000"]}', "a[0]: holds a NUL character or half a surrogate pair, which cannot be stored", "a[0]: "),
]


def message_of(body: bytes) -> str:
    with pytest.raises(ParseError) as bad:
        STRICT_JSON().parse(BytesIO(body))
    return str(bad.value)


@pytest.mark.parametrize(("body", "english", "chinese"), BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_body_that_cannot_be_read_is_named_with_its_place(body, english, chinese):
    with translation.override("en"):
        assert message_of(body) == english
    with translation.override("zh-hans"):
        assert chinese in message_of(body)


def test_a_body_is_read():
    assert STRICT_JSON().parse(BytesIO('{"a": "字"}'.encode())) == {"a": "字"}


def rendered(answer, status: int) -> bytes:
    return WholeJSONRenderer().render(answer, renderer_context={"response": SimpleNamespace(status_code=status)})


def test_null_is_written_where_there_is_an_answer_and_nothing_where_there_is_none():
    assert rendered(None, 200) == b"null"
    assert rendered(None, 204) == b""
    assert rendered({"a": None}, 200) == b'{"a":null}'


# Sent as TOML or JSON, as the request accepts.
NEGOTIATED = {"api/v1/campaigns/<slug:slug>/file/"}


def sends_a_file(view) -> bool:
    description = getattr(getattr(view, "get", None), "description", None)
    return description is not None and isinstance(description.answers.get(200), FileOf)


DOWNLOADS = [
    (path, view)
    for path, callback in ROUTES
    if (view := getattr(callback, "cls", None)) and sends_a_file(view) and path not in NEGOTIATED
]


@pytest.mark.parametrize(("path", "view"), DOWNLOADS, ids=[path for path, _ in DOWNLOADS])
def test_a_download_is_a_file_view(path, view):
    assert issubclass(view, FileView)


def test_the_look_at_the_routes_sees_downloads():
    assert len(DOWNLOADS) >= 5
