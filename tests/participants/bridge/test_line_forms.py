"""Lines to and from a command."""

import pytest

from participants.bridge.line_forms import JsonLines, NotAReply, Plain

REQUEST = {"dialogue": "d", "turn": 1, "text": "你好\n在吗", "history": []}


def test_a_plain_line_is_the_text_on_one_line():
    assert Plain().line_of(REQUEST).decode() == "你好 在吗"
    assert Plain().reply_of(["好".encode(), b""]) == {"texts": ["好", ""]}


def test_a_json_line_is_the_request_and_comes_back_as_a_reply():
    assert JsonLines().line_of({"text": "好"}).decode() == '{"text":"好"}'
    assert JsonLines().reply_of(['{"text":"好","end":true,"dialogue":"d","mood":1}'.encode()]) == {
        "text": "好",
        "end": True,
    }
    assert JsonLines().reply_of([b'{"texts":["a","b"]}']) == {"texts": ["a", "b"]}


@pytest.mark.parametrize("line", [b"", b"hello", b"[]", b"{}", b'{"text"', b"\xff", b"[" * 3000])
def test_other_lines_are_no_reply(line):
    with pytest.raises(NotAReply):
        JsonLines().reply_of([line])


def test_a_plain_line_that_is_not_utf_8_is_no_reply():
    with pytest.raises(NotAReply):
        Plain().reply_of([b"\xff\xfe"])
