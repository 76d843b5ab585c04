"""A browser's socket is let in from a page of the host that it connects to, and of no other."""

import pytest

from testing_console.live.socket_limits import is_own_origin


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("https://localhost", "localhost", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://localhost:8001", "localhost:8000", False),
        ("http://evil.example", "localhost:8000", False),
        ("http://evil.example", "evil.example", False),
        ("null", "localhost:8000", False),
        ("", "", False),
        ("ftp://localhost", "localhost", False),
    ],
)
def test_only_a_page_of_ours_opens_a_socket(settings, origin, host, is_own):
    settings.ALLOWED_HOSTS = ["localhost", "[::1]"]
    assert is_own_origin({b"origin": origin.encode(), b"host": host.encode()}) is is_own
