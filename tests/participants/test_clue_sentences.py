"""Clues are told in the reader's language; all of them are tried in `test_failure_sentences.py`."""

from django.utils import translation

from conformance.guessing import clues_in
from participants.adapters import ADAPTERS
from reading.findings import Finding


def test_the_clue_of_a_path_is_said_in_the_readers_language():
    clues = clues_in("https://bot.example.com/webhooks/rest/webhook", {}, ADAPTERS)
    finding = Finding("", "%(detail)s", {"detail": clues["rasa"]})
    with translation.override("en"):
        assert str(finding) == "Its path ends with /webhooks/rest/webhook."
    with translation.override("zh-hans"):
        assert "/webhooks/rest/webhook" in str(finding)
        assert "path ends" not in str(finding)
