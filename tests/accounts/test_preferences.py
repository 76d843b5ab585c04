"""What can be chosen is a language and a theme of ours, and nothing else of an account."""

import pytest

from accounts.preferences import UnknownChoice, check_choices


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
