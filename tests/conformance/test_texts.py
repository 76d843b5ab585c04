"""What was read in a wrong character set is told from what a bot may say."""

from random import Random

import pytest

from conformance.examiner import PHRASES
from conformance.probes.texts import garbled_part


@pytest.mark.parametrize("language", list(PHRASES))
def test_no_name_is_part_of_another(language):
    lines, rng = PHRASES[language], Random(7)
    names = {lines.name(rng) for _ in range(300)}
    assert not any(one in other for one in names for other in names if one != other)


@pytest.mark.parametrize("language", list(PHRASES))
def test_a_long_text_has_exactly_its_length(language):
    assert len(PHRASES[language].long_text(2000)) == 2000


def test_a_name_is_told_in_a_sentence():
    assert PHRASES["zh"].my_name_is("青鹭1234") == "我的名字是青鹭1234。"
    assert PHRASES["en"].turn_number(3) == "This is sentence 3, please go on."


SENT = PHRASES["zh"].rare


@pytest.mark.parametrize("name", ["latin-1", "gbk"])
def test_bytes_that_were_read_in_another_character_set(name):
    read = SENT.encode().decode(name, "ignore")
    assert garbled_part(SENT, f"You said: {read}")


@pytest.mark.parametrize("said", [SENT.encode("ascii", "replace").decode(), "You said �"])
def test_characters_that_were_lost(said):
    assert garbled_part(SENT, said)


@pytest.mark.parametrize("said", ["", SENT, "龘读 dá。", "What???", "Ça va ? Où ça ?", "抱歉，我没有听懂。"])
def test_what_a_bot_may_say(said):
    assert garbled_part(SENT, said) == ""
