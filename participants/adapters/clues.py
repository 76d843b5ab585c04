"""What adapters read from the answers to questions that change nothing at a bot."""

from typing import Any

from participants.adapters.contract import Heard
from reading.strict_json import NotJson, loads


def object_in(heard: Heard | None) -> dict[str, Any]:
    """The JSON object of a good answer; an empty one for everything else, also for what was cut off."""
    if heard is None or heard.status != 200:
        return {}
    try:
        said = loads(heard.body)
    except NotJson:
        return {}
    return said if isinstance(said, dict) else {}


def may_post(heard: Heard | None) -> bool:
    """Whether the answer names POST among what may be asked there, as frameworks do for OPTIONS."""
    allowed = "" if heard is None else heard.headers.get("allow", "")
    return "POST" in {method.strip().upper() for method in allowed.split(",")}
