"""Texts that are stored in both languages."""

from django.conf import settings
from django.utils.translation import get_language


def in_readers_language(zh: str, en: str) -> str:
    """The text in the reader's language, or the other one where it is blank."""
    is_english = (get_language() or settings.LANGUAGE_CODE).startswith("en")
    return (en or zh) if is_english else (zh or en)


class Bilingual:
    """`text("name")` gives the text in the reader's language, or the other one where it is blank."""

    def text(self, field: str) -> str:
        return in_readers_language(getattr(self, f"{field}_zh"), getattr(self, f"{field}_en"))
