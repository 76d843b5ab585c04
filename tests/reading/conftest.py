"""Messages in English."""

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield
