"""Why a fingerprint was not taken, in the reader's language."""

from django.utils import translation

from conformance.canary_calls import CALL_FAILED
from conformance.models import Fingerprint
from participants.failure_sentences import STATUS
from reading.findings import sentence


def test_a_failed_call_is_told_as_the_console_tells_it():
    status = sentence(STATUS, status=502)
    taken = Fingerprint(failure=sentence(CALL_FAILED, failure="http_5xx", detail=status).to_json())
    with translation.override("en"):
        assert taken.failure_in_words == "server error (http_5xx): The system answered with status 502."
    with translation.override("zh-hans"):
        assert str(status) in taken.failure_in_words
        assert "answered" not in taken.failure_in_words


def test_one_that_was_taken_has_none():
    assert Fingerprint(answers=[["Hello"]]).failure_in_words == ""
