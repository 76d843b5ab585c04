"""The browser of an organizer."""

import pytest

from tests.team_desk.conftest import client_of


@pytest.fixture
def browser(organizer):
    return client_of(organizer)
