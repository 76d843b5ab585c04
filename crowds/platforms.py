"""Crowd platforms: how their links name a person, and how that person goes back. Pure.

Sources of the names: Prolific's help page on URL parameters (`PROLIFIC_PID`, `STUDY_ID`, `SESSION_ID`, completion by `cc`), and the
developer guide of Mechanical Turk on external questions (`workerId`, `hitId`, `assignmentId`, `turkSubmitTo`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, urlsplit

from campaigns.campaign_file.study_specs import RETURN_FIELD

# What a platform calls somebody: printable ASCII without spaces, so that it stands in addresses and lines as it is.
OUTSIDE_ID = re.compile(r"[!-~]{1,120}")
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
SUBMIT_TO = ("https://www.mturk.com", "https://workersandbox.mturk.com")


class Platform(StrEnum):
    PROLIFIC = "prolific"
    MTURK = "mturk"
    GENERIC = "generic"


class Outcome(StrEnum):
    """How a visit ends; each has a page of its own, and may have a code of its own."""

    COMPLETED = "completed"
    SCREENED_OUT = "screened_out"
    FULL = "full"
    EXCLUDED = "excluded"
    TOO_LATE = "too_late"
    LEFT = "left"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Names:
    """What the parameters of an address are called that name a person, a study and a session; empty: there is none."""

    participant: str
    study: str = ""
    session: str = ""


# What Prolific and Mechanical Turk are given by default to replace in the link; the names of a generic one are its operator's.
PLACEHOLDERS = {
    Platform.PROLIFIC: Names("{{%PROLIFIC_PID%}}", "{{%STUDY_ID%}}", "{{%SESSION_ID%}}"),
    Platform.MTURK: Names("${workerId}", "${hitId}", "${assignmentId}"),
    Platform.GENERIC: Names("…", "…", "…"),
}


@dataclass(frozen=True, slots=True)
class Outside:
    """A person as the platform names them. `submit_to` is where Mechanical Turk takes the form: one of `SUBMIT_TO`, or empty."""

    participant: str
    study: str = ""
    session: str = ""
    submit_to: str = ""


class BrokenLink(Exception):
    """The address does not name a person as its platform would."""


class PreviewOnly(Exception):
    """A worker looks at the task before accepting it: there is nobody to let in yet."""


def outside_of(query: Mapping[str, str], names: Names, platform: Platform) -> Outside:
    """Who the address names. Errors: `BrokenLink`, `PreviewOnly`."""
    if platform == Platform.MTURK and query.get(names.session) == PREVIEW:
        raise PreviewOnly
    said = {name: query.get(key, "") if key else "" for name, key in _keys(names).items()}
    if not said["participant"] or not all(not text or OUTSIDE_ID.fullmatch(text) for text in said.values()):
        raise BrokenLink
    submit_to = query.get("turkSubmitTo", "") if platform == Platform.MTURK else ""
    return Outside(**said, submit_to=submit_to if submit_to in SUBMIT_TO else "")


def _keys(names: Names) -> dict[str, str]:
    return {"participant": names.participant, "study": names.study, "session": names.session}


def query_for(names: Names, platform: Platform) -> str:
    """The end of the link that the organizer gives to the platform, which fills it in for each person."""
    fill = _keys(PLACEHOLDERS[platform])
    return "&".join(f"{key}={fill[name]}" for name, key in _keys(names).items() if key)


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def return_address(template: str, host: str, *, outside: Outside, outcome: Outcome, code: str) -> str:
    """Where the person goes back to; empty without a template, or where it would lead to another host than the stored one."""
    if not template or ("{code}" in template and not code):
        return ""
    fill = {
        "code": code,
        "outcome": outcome.value,
        "participant": outside.participant,
        "study": outside.study,
        "session": outside.session,
    }
    filled = RETURN_FIELD.sub(lambda found: quote(fill.get(found[1], ""), safe=""), template)
    return filled if filled.startswith("https://") and host_of(filled) == host else ""
