"""What a browser calls itself, in plain words."""

import pytest

from accounts.sessions.queries import browser_of, system_of

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "browser", "system"),
    [
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36", "Chrome", "Windows"),
        (
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Edge",
            "Windows",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox", "Linux"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
            "Safari",
            "macOS",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49",
            "WeChat",
            "iPhone",
        ),
        (
            f"Mozilla/5.0 (Linux; Android 14; SM-S918B) {WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Samsung Internet",
            "Android",
        ),
        ("python-requests/2.32", "python-requests", ""),
        ("", "", ""),
    ],
)
def test_browser_and_system_are_named(agent, browser, system):
    assert (browser_of(agent), system_of(agent)) == (browser, system)
