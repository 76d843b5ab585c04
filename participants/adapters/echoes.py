"""Which dialogue an answer says that it is about. A bot that names another one has mixed them up: its answer is shown to nobody.

Only what a protocol carries is compared, never the words: where an answer names nothing, nothing can be told here, and the
conformance lab asks instead. A field in which bots may write a name of their own counts only where it holds a name that the
platform gave to a dialogue. Such names begin with a word of ours, since an id alone does not tell whose it is: bots have random UUIDs too.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import BotCall
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding

NAMES_ANOTHER = gettext_noop("names %(named)s, but what was asked is %(asked)s")
NAMED_SHOWN = 80
_PREFIX = "huace-"
# Dialogues have UUIDs. The whole name: a bot may make longer ones of it.
_NAME_OF_OURS = re.compile(_PREFIX + r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def name_of(dialogue: str) -> str:
    """What the dialogue is called where the bot may answer with a name of its own instead."""
    return f"{_PREFIX}{dialogue}"


def check_names(answer: Mapping[str, Any], call: BotCall) -> None:
    """The fields `dialogue` and `turn` of huace/1, which an answer may repeat. Errors: `BotFailure` (`other_dialogue`)."""
    for name, asked in (("dialogue", call.dialogue), ("turn", call.turn)):
        named = answer.get(name)
        if named is not None and (isinstance(named, bool) or named != asked):
            raise mixed_up(name, named, asked)


def check_name(named: Any, dialogue: str, place: str) -> None:
    """A field that repeats the dialogue's name, or holds one of the bot's own. Errors: `BotFailure` (`other_dialogue`)."""
    asked = name_of(dialogue)
    if isinstance(named, str) and _NAME_OF_OURS.fullmatch(named) and named.lower() != asked.lower():
        raise mixed_up(place, named, asked)


def mixed_up(place: str, named: Any, asked: Any) -> BotFailure:
    values = {"named": str(named)[:NAMED_SHOWN], "asked": str(asked)}
    return BotFailure(FailureKind.OTHER_DIALOGUE, Finding(place, NAMES_ANOTHER, values))
