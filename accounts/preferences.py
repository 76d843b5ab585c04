"""What people can choose for all pages: the language and the colours."""

from collections.abc import Mapping

from django.conf import settings

from accounts.models import Person

# An empty language is the browser's.
CHOICES = {"language": {"", *dict(settings.LANGUAGES)}, "theme": set(Person.Theme.values)}


class UnknownChoice(ValueError):
    """Neither a language nor a theme of ours."""


def check_choices(chosen: Mapping[str, str]) -> None:
    """Errors: `UnknownChoice`."""
    for name, choice in chosen.items():
        if choice not in CHOICES.get(name, ()):
            raise UnknownChoice(f"{name}: {choice!r}")
