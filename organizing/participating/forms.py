"""Reads the forms of a team's pages: what was typed, as the fields that the actions ask for."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from participants.bot_form import OPTIONS
from scoring.checking import BadForm

# Fields of the form that hold an option of the protocol.
OPTION = "option-"
WHOLE_OPTIONS = frozenset({"max_tokens"})


def said_address(posted: QueryDict) -> dict[str, Any]:
    """Empty options are left out; an empty secret keeps the stored one unless none is wanted."""
    protocol = posted.get("protocol", "")
    said: dict[str, Any] = {"url": posted.get("url", "").strip(), "protocol": protocol}
    if posted.get("no_secret"):
        said["secret"] = ""
    elif posted.get("secret"):
        said["secret"] = posted["secret"]
    options = {name: _option(name, posted.get(OPTION + name, "")) for name in OPTIONS.get(protocol, {})}
    return said | {"options": {name: value for name, value in options.items() if value != ""}}


def said_bot(posted: QueryDict) -> dict[str, Any]:
    return said_address(posted) | {"name": posted.get("name", "").strip()}


def _option(name: str, typed: str) -> Any:
    typed = typed.strip()
    return int(typed) if name in WHOLE_OPTIONS and typed.isascii() and typed.isdigit() and len(typed) < 10 else typed


def typed_fields(posted: QueryDict) -> dict[str, str]:
    """What was typed, to be shown again; never a secret."""
    kept = {name: str(posted[name]) for name in posted if name not in {"secret", "csrfmiddlewaretoken"}}
    return {name.replace("-", "_"): value for name, value in kept.items()}


def wrong_fields(bad: BadForm) -> dict[str, str]:
    """What is wrong with each field, in the reader's language."""
    wrong: dict[str, str] = {}
    for problem in bad.problems:
        name = problem.place.partition("[")[0].replace("options.", "option_")
        wrong.setdefault(name, problem.message)
    return wrong


def stored_fields(protocol: str, url: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The stored address as what would have been typed."""
    return {"protocol": protocol, "url": url} | {f"option_{name}": str(value) for name, value in options.items()}
