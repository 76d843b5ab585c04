"""What can be chosen is a language and a theme of ours, and nothing else of an account."""

import pytest
from django.test import RequestFactory

from accounts.preferences import UnknownChoice, check_choices, language_of, language_of_socket


@pytest.mark.parametrize("language", ["", "zh-hans", "en"])
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_language_and_theme_can_be_chosen(language, theme):
    check_choices({"language": language, "theme": theme})


@pytest.mark.parametrize(
    "chosen",
    [{"theme": "pink"}, {"theme": ""}, {"language": "tlh"}, {"language": "EN"}, {"is_superuser": "1"}],
)
def test_what_is_no_choice_is_refused(chosen):
    with pytest.raises(UnknownChoice):
        check_choices(chosen)


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
