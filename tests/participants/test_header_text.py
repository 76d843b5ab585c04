import pytest

from participants.limits import is_header_text


@pytest.mark.parametrize("text", ["", "abc", "a b", "sk-1~!@#", "x" * 500])
def test_ascii_on_one_line_may_stand_in_a_header(text):
    assert is_header_text(text)


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\ta", " a", "a ", "é", "密", "\x7f", "\x00", "a\u200bb"])
def test_line_breaks_and_other_letters_may_not(text):
    assert not is_header_text(text)
