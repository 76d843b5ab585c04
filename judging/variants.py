"""How a judge's prompt is changed to probe it, and which two prompts a probe compares. Pure.

A sheet is what `judging/sheets.py` gives: plain JSON. A variant gives another sheet, and a sentence that the prompt then holds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from judging.addressing import cleaned

Sheet = dict[str, Any]
UNCHANGED = ""
# Says nothing about the matter, and makes a reply about twice as long as the usual one.
FILLER = {
    "zh": "以上就是对您所说内容的回复。如果您还有其他需要说明的地方，可以继续告诉我，我会按照您说的内容继续进行。",
    "en": (
        "That is the reply to what you said. If there is anything else that you would like to say, you can go on and "
        "say it, and things will continue from there."
    ),
}
AUTHORS = {
    "own_words": {
        "zh": "这段对话中系统的回复是你自己此前写的。",
        "en": "You yourself wrote the system's replies in this dialogue earlier.",
    },
    "others_words": {
        "zh": "这段对话中系统的回复是另一个模型写的。",
        "en": "Another model wrote the system's replies in this dialogue.",
    },
    "maker": {
        "zh": "这段对话中的系统所用的模型由{maker}开发。",
        "en": "The model behind the system in this dialogue was made by {maker}.",
    },
    "other_maker": {
        "zh": "这段对话中的系统所用的模型由另一家公司开发。",
        "en": "The model behind the system in this dialogue was made by another company.",
    },
}


@dataclass(frozen=True, slots=True)
class Probe:
    """Compares the prompts `changed` and `control`; both are variants. `words` say what a shift means."""

    key: str
    changed: str
    control: str
    title: Any
    words: Any


PROBES = (
    Probe("turns", "turns", UNCHANGED, _("Position: turns"), _("turns from last to first")),
    Probe("points", "points", UNCHANGED, _("Position: points"), _("each scale from its highest point down")),
    Probe("criteria", "criteria", UNCHANGED, _("Order of criteria"), _("criteria from last to first")),
    Probe("length", "length", UNCHANGED, _("Length"), _("replies made longer by words that say nothing")),
    Probe("self", "own_words", "others_words", _("Self-preference"), _("“you wrote this” against “another model did”")),
    Probe(
        "maker", "maker", "other_maker", _("Name of the maker"), _("the judge's own maker named against another one")
    ),
    Probe(
        "addressing", "cleaned", UNCHANGED, _("Words to the judge"),
        _("sentences that speak to a judge taken out, in the dialogues that hold any"),
    ),
)  # fmt: skip
VARIANTS = tuple(dict.fromkeys(one for probe in PROBES for one in (probe.changed, probe.control) if one))


def asks_for(variant: str, *, maker: str, speaks_to_judge: bool) -> bool:
    """Whether the variant says anything of this judge and this dialogue."""
    if variant in ("maker", "other_maker"):
        return bool(maker)
    return speaks_to_judge if variant == "cleaned" else True


def changed_sheet(sheet: Mapping[str, Any], variant: str, language: str) -> Sheet:
    """The sheet under that variant. Errors: `KeyError` for a variant that nobody knows."""
    return CHANGES[variant](dict(sheet), language)


def sentence_of(variant: str, *, maker: str, language: str) -> str:
    """What the prompt says of the system's author; empty for most variants."""
    return AUTHORS[variant][language].format(maker=maker) if variant in AUTHORS else ""


def _turns(sheet: Sheet, language: str) -> Sheet:
    return sheet | {"turns": sheet["turns"][::-1]}


def _criteria(sheet: Sheet, language: str) -> Sheet:
    return sheet | {"criteria": sheet["criteria"][::-1]}


def _points(sheet: Sheet, language: str) -> Sheet:
    return sheet | {"criteria": [one | {"points": one["points"][::-1]} for one in sheet["criteria"]]}


def _length(sheet: Sheet, language: str) -> Sheet:
    return sheet | {"turns": [_longer(turn, FILLER[language]) for turn in sheet["turns"]]}


def _longer(turn: Mapping[str, Any], filler: str) -> dict[str, Any]:
    """A turn without an answer stays without one."""
    *first, last = turn["texts"] or [""]
    return dict(turn) | {"texts": [*first, f"{last} {filler}"] if last else list(turn["texts"])}


def _cleaned(sheet: Sheet, language: str) -> Sheet:
    return sheet | {
        "turns": [
            turn | {"text": cleaned(turn["text"]), "texts": [cleaned(text) for text in turn["texts"]]}
            for turn in sheet["turns"]
        ]
    }


def _same(sheet: Sheet, language: str) -> Sheet:
    return sheet


CHANGES: Mapping[str, Callable[[Sheet, str], Sheet]] = {
    UNCHANGED: _same, "turns": _turns, "criteria": _criteria, "points": _points, "length": _length, "cleaned": _cleaned,
    **dict.fromkeys(AUTHORS, _same),
}  # fmt: skip
