"""Which dialogue an answer says that it is about. A bot that names another one has mixed them up: its answer is shown to nobody.

Only what a protocol carries is compared, never the words: where an answer names nothing, nothing can be told here, and the
conformance lab asks instead. A field in which bots may write a name of their own counts only where it holds an id as the
platform gives them to dialogues.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import BotCall
from participants.failures import BotFailure, FailureKind
from scoring.findings import Finding

NAMES_ANOTHER = gettext_noop("names %(named)s, but what was asked is %(asked)s")
NAMED_SHOWN = 80
# Dialogues have random UUIDs.
_ID_OF_OURS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)


def check_names(answer: Mapping[str, Any], call: BotCall) -> None:
    """The fields `dialogue` and `turn` of huace/1, which an answer may repeat. Errors: `BotFailure` (`other_dialogue`)."""
    for name, asked in (("dialogue", call.dialogue), ("turn", call.turn)):
        named = answer.get(name)
        if named is not None and (isinstance(named, bool) or named != asked):
            raise mixed_up(name, named, asked)


def check_id(named: Any, asked: str, place: str) -> None:
    """A field that repeats the dialogue, or holds a name of the bot's. Errors: `BotFailure` (`other_dialogue`)."""
    if is_id_of_ours(named) and named.lower() != asked.lower():
        raise mixed_up(place, named, asked)


def is_id_of_ours(named: Any) -> bool:
    return isinstance(named, str) and _ID_OF_OURS.fullmatch(named) is not None


def mixed_up(place: str, named: Any, asked: Any) -> BotFailure:
    values = {"named": str(named)[:NAMED_SHOWN], "asked": str(asked)}
    return BotFailure(FailureKind.OTHER_DIALOGUE, Finding(place, NAMES_ANOTHER, values))
