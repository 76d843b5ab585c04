"""The registry of adapters and the document that bots' makers read."""

from pathlib import Path

import pytest

from participants.adapters import PROTOCOLS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocols.md").read_text()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_its_row_in_the_document(protocol):
    assert f"\n| `{protocol}` | " in PAGE
