"""Null is an answer; an empty answer is none."""

from types import SimpleNamespace

from api.parsers import WholeJSONRenderer


def rendered(answer, status: int) -> bytes:
    return WholeJSONRenderer().render(answer, renderer_context={"response": SimpleNamespace(status_code=status)})


def test_null_is_written_where_there_is_an_answer_and_nothing_where_there_is_none():
    assert rendered(None, 200) == b"null"
    assert rendered(None, 204) == b""
    assert rendered({"a": None}, 200) == b'{"a":null}'
