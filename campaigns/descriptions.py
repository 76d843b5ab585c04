"""What a campaign says of itself: purpose, rules, prizes, contact, data licence and what testers agree to, as Markdown in both languages. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext_noop

from participants.limits import DESCRIPTION_LIMIT
from reading.kinds import BothTexts, Texts

# The parts in the order of pages and files, with their heads.
PARTS: Mapping[str, str] = {
    "purpose": gettext_noop("Purpose"),
    "rules": gettext_noop("Rules of participation"),
    "prizes": gettext_noop("Prizes"),
    "contact": gettext_noop("Contact"),
    "licence": gettext_noop("Data licence"),
    "consent": gettext_noop("Consent of testers"),
}
PART = BothTexts(may_be_empty=True, limit=DESCRIPTION_LIMIT)


def columns_of(texts: Mapping[str, Texts]) -> dict[str, str]:
    """The texts by the columns that hold them: `purpose_zh`, `purpose_en` …"""
    return {f"{part}_{language}": getattr(said, language) for part, said in texts.items() for language in ("zh", "en")}


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptionSpec:
    """The parts that a file, a form or a program gives; None leaves one as it is."""

    purpose: Annotated[Texts | None, PART] = None
    rules: Annotated[Texts | None, PART] = None
    prizes: Annotated[Texts | None, PART] = None
    contact: Annotated[Texts | None, PART] = None
    licence: Annotated[Texts | None, PART] = None
    consent: Annotated[Texts | None, PART] = None

    def said(self) -> dict[str, Texts]:
        return {part: texts for part in PARTS if (texts := getattr(self, part)) is not None}
