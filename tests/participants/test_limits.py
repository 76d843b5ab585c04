"""Limits are written once: what pages and documents say of them is what the rules hold."""

import re
from pathlib import Path

import pytest

from dialogues.turn_taking import KEY_LIMIT, REPLY_LIMIT
from participants.adapters.streams import STREAM_LIMIT_BYTES
from participants.limits import MESSAGE_LIMIT, is_header_text
from participants.outbound.answer import BODY_LIMIT_BYTES
from testing_console.socket_frames import FRAME_LIMIT_BYTES

ROOT = Path(__file__).resolve().parents[2]
KIB, MIB = 1024, 1024 * 1024


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("wire-protocol.md", f"JSON text frames, at most {FRAME_LIMIT_BYTES // KIB} KiB"),
        ("wire-protocol.md", f"`key` (1…{KEY_LIMIT} characters), `text` (1…{MESSAGE_LIMIT:,})"),
        ("protocols.md", f"{BODY_LIMIT_BYTES // KIB} KiB are read, of a stream {STREAM_LIMIT_BYTES // MIB} MiB"),
        ("protocols.md", f"{REPLY_LIMIT:,} characters are shown"),
    ],
)
def test_a_document_says_the_limit_that_holds(page, sentence):
    text = " ".join((ROOT / "docs" / page).read_text().split())
    assert sentence in text


def test_no_template_and_no_script_of_a_page_has_a_limit_of_its_own():
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    for path in files:
        if "vendor" not in path.parts:
            found = re.findall(r"maxlength=\"\d+|\bmaxLength = \d+|\.length > \d{2,}", path.read_text())
            assert not found, f"{path.relative_to(ROOT)} says {found}"


@pytest.mark.parametrize("text", ["", "abc", "a b", "sk-1~!@#", "x" * 500])
def test_ascii_on_one_line_may_stand_in_a_header(text):
    assert is_header_text(text)


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\ta", " a", "a ", "é", "密", "\x7f", "\x00", "a\u200bb"])
def test_line_breaks_and_other_letters_may_not(text):
    assert not is_header_text(text)
