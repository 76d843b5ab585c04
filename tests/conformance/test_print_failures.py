"""Why a fingerprint was not taken, in the reader's language."""

import pytest
from django.utils import translation

from conformance.models import Fingerprint
from conformance.print_failures import HELD_UP, NOT_IN_TIME, SECRET_LOST
from participants.failure_sentences import STATUS
from scoring.known_sentences import read_again


@pytest.mark.parametrize("text", [HELD_UP, NOT_IN_TIME, SECRET_LOST])
def test_what_is_stored_is_read_back_with_its_values(text):
    values = {"seconds": "7.5"} if "seconds" in text else {}
    assert read_again(text % values if values else text) == (text, values)


def test_a_failed_call_is_told_as_the_console_tells_it():
    taken = Fingerprint(failure=f"http_5xx: {STATUS % {'status': 502}}")
    with translation.override("en"):
        assert taken.failure_in_words == taken.failure
    with translation.override("zh-hans"):
        assert taken.failure_in_words.startswith("http_5xx: ")
        assert "502" in taken.failure_in_words
        assert "The bot" not in taken.failure_in_words
