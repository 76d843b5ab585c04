"""Runs and gold of the examples, and messages in English."""

from pathlib import Path

import pytest
from django.utils import translation

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "runs"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def content_of(path: str) -> bytes:
    return (EXAMPLES / path).read_bytes()


@pytest.fixture
def good_run() -> bytes:
    return content_of("dialogue-quality/run.json")
