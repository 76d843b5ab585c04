"""The forms of a team's pages: what they let choose, and what was typed, as the fields that the actions ask for."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaigns.models import Entry
from participants.adapters import ADAPTERS, FIND_OUT
from participants.limits import NAME_LIMIT, PARALLEL, REASON_LIMIT
from participants.mappings import PRESETS
from reading.checking import BadForm
from reading.digits import whole_or_text
from reading.kinds import FLAG, Kind, Whole

# Fields of the form that hold an option of the protocol.
OPTION = "option-"


def said_address(posted: QueryDict) -> dict[str, Any]:
    """Empty options are left out; an empty secret keeps the stored one unless none is wanted."""
    protocol = posted.get("protocol", "")
    said: dict[str, Any] = {"url": posted.get("url", "").strip(), "protocol": protocol}
    if posted.get("no_secret"):
        said["secret"] = ""
    elif posted.get("secret"):
        said["secret"] = posted["secret"]
    if parallel := posted.get("parallel", "").strip():
        said["parallel"] = whole_or_text(parallel)
    kinds = {name: one.kind for name, one in ADAPTERS[protocol].options.items()} if protocol in ADAPTERS else {}
    options = {name: _option(kind, posted.get(OPTION + name, "")) for name, kind in kinds.items()}
    return said | {"options": {name: value for name, value in options.items() if value != ""}}


def said_bot(posted: QueryDict) -> dict[str, Any]:
    return said_address(posted) | {"name": posted.get("name", "").strip()}


def _option(kind: Kind, typed: str) -> Any:
    # Browsers end lines as mails do; what is stored is what a file would say.
    typed = typed.replace("\r\n", "\n").strip()
    if kind is FLAG:
        return True if typed else ""
    return whole_or_text(typed) if isinstance(kind, Whole) else typed


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


def stored_fields(entry: Entry) -> dict[str, str]:
    """The stored address as what would have been typed."""
    return fields_of(entry.protocol, entry.url, entry.options) | {"parallel": str(entry.parallel)}


def fields_of(protocol: str, url: str, options: Mapping[str, Any]) -> dict[str, str]:
    # A checkbox that says no is one that is not ticked.
    typed = {f"option_{name}": str(value) for name, value in options.items() if value is not False}
    return {"protocol": protocol, "url": url} | typed


def choices() -> dict[str, Any]:
    return {
        "protocols": list(ADAPTERS.items()),
        "find_out": FIND_OUT,
        "presets": PRESETS,
        "name_limit": NAME_LIMIT,
        "reason_limit": REASON_LIMIT,
        "parallel": PARALLEL,
    }
