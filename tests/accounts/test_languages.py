"""Pages, API and sockets speak one language to one person."""

import pytest
from django.test import RequestFactory

from accounts.languages import language_of, language_of_socket


@pytest.mark.parametrize(
    ("chosen", "cookie", "header", "language"),
    [
        ("en", "zh-hans", "zh-hans", "en"),
        ("", "en", "zh-hans", "en"),
        ("", "", "en-GB,en;q=0.8", "en"),
        ("", "", "zh-CN", "zh-hans"),
        ("", "tlh", "fr", "zh-hans"),
        ("", "", "", "zh-hans"),
    ],
)
def test_what_a_person_chose_comes_before_what_the_browser_asks_for(chosen, cookie, header, language):
    request = RequestFactory().get("/", headers={"accept-language": header})
    scope = {"headers": [(b"accept-language", header.encode())]}
    if cookie:
        request.COOKIES["django_language"] = cookie
        scope["cookies"] = {"django_language": cookie}
    assert language_of(request, chosen) == language_of_socket(scope, chosen) == language
