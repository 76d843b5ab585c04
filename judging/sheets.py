"""What a judge sees of a dialogue: what a reviewer sees on the review page, without the alias, and with names masked everywhere."""

from typing import Any

from django.utils.translation import override

from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from judging.variants import Sheet
from reviews.sheet import sheet_of

LANGUAGES = {"zh": "zh-hans", "en": "en"}
# Names of places, which answers repeat: a blot in one would make it unknown.
KEYS = {"key", "places", "kind", "scope", "speaker", "status"}


def judge_sheet(dialogue: Dialogue, language: str) -> Sheet:
    """The sheet of the dialogue (`with_names`) in the judge's language; no alias, so that nothing joins two dialogues of a system."""
    masker = masker_of(masked_words(dialogue.assignment.campaign))
    with override(LANGUAGES[language]):
        sheet = sheet_of(dialogue)
    sheet.pop("alias")
    masked: Sheet = masked_values(sheet, masker)
    return masked


def masked_values(value: Any, masker: Masker) -> Any:
    """The same JSON with the names in all its texts masked, names of facts and of the context's parts too."""
    match value:
        case str():
            return masker.mask(value)
        case dict():
            return {name if name in KEYS else masker.mask(str(name)): inner if name in KEYS else masked_values(inner, masker) for name, inner in value.items()}  # fmt: skip
        case list() | tuple():
            return [masked_values(inner, masker) for inner in value]
    return value


def texts_of(sheet: Sheet) -> list[str]:
    """What was said in the dialogue."""
    return [text for turn in sheet["turns"] for text in (turn["text"], *turn["texts"]) if text]
