"""The registry of adapters and the document that bots' makers read."""

from pathlib import Path

import pytest
from django.utils import translation

from conformance.guessing import clues_in
from participants.adapters import ADAPTERS, PROTOCOLS
from reading.findings import Finding

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocols.md").read_text()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_its_row_in_the_document(protocol):
    assert f"\n| `{protocol}` | " in PAGE


def test_the_clue_of_a_path_is_said_in_the_readers_language():
    clues = clues_in("https://bot.example.com/webhooks/rest/webhook", {}, ADAPTERS)
    finding = Finding("", "%(detail)s", {"detail": clues["rasa"]})
    with translation.override("en"):
        assert str(finding) == "Its path ends with /webhooks/rest/webhook."
    with translation.override("zh-hans"):
        assert "/webhooks/rest/webhook" in str(finding)
        assert "path ends" not in str(finding)
