"""What was read in a wrong character set is told from what a bot may say."""

import pytest

from conformance.examiner import PHRASES
from conformance.probes.texts import garbled_part

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
