"""What a judge sees of a dialogue: what a reviewer sees on the review page, without the alias, and with names masked everywhere."""

from typing import Any

from django.utils.translation import override

from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue
from dialogues.queries import masked_words
from judging.variants import Sheet
from reading.kinds import LANGUAGES
from reviews.sheet import sheet_of


def judge_sheet(dialogue: Dialogue, language: str) -> Sheet:
    """The sheet of the dialogue (`with_names`) in the judge's language; no alias, so that nothing joins two dialogues of a system.

    Turns come masked. Keys of criteria and points stay whole: answers repeat them.
    """
    masker = masker_of(masked_words(dialogue.assignment.campaign))
    with override(LANGUAGES[language]):
        sheet: Sheet = sheet_of(dialogue)
    del sheet["alias"]
    for name in ("scenario", "context"):
        sheet[name] = masked_values(sheet[name], masker)
    for part in sheet["subtasks"]:
        part["kind"] = masker.mask(part["kind"])
    for criterion in sheet["criteria"]:
        criterion |= {name: masker.mask(criterion[name]) for name in ("name", "question")}
        for point in criterion["points"]:
            point["label"] = masker.mask(point["label"])
    return sheet


def masked_values(value: Any, masker: Masker) -> Any:
    """The same JSON with the names in all its texts masked, also where they name its parts."""
    match value:
        case str():
            return masker.mask(value)
        case dict():
            return {masker.mask(str(name)): masked_values(inner, masker) for name, inner in value.items()}
        case list() | tuple():
            return [masked_values(inner, masker) for inner in value]
    return value


def texts_of(sheet: Sheet) -> list[str]:
    """What was said in the dialogue."""
    return [text for turn in sheet["turns"] for text in (turn["text"], *turn["texts"]) if text]
