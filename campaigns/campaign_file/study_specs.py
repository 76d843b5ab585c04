"""What a study for people of a crowd platform may say, in a campaign file, a form and the API: the table `[[studies]]`. Pure.

Completion codes are no part of it: they are secrets, typed by the organizer alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

from participants.limits import DESCRIPTION_LIMIT, NAME_LIMIT
from reading.kinds import (
    NO_TEXTS,
    SLUG,
    BothTexts,
    Checked,
    Choice,
    Kind,
    ListOf,
    Text,
    Texts,
    Whole,
    Wrong,
    shown,
    url_of,
)
from reading.tables import Rows, table_of

PLATFORMS = ("prolific", "mturk", "generic")
ROLES_OF_STUDIES = ("tester", "reviewer")
# Of participant, study and session in the addresses that a platform sends people to.
PARAMETERS: Mapping[str, tuple[str, str, str]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "hitId", "assignmentId"),
    "generic": ("participant", "study", "session"),
}
MOST_PEOPLE, MOST_MINUTES, MOST_WORK = 100_000, 100_000, 500
STUDIES, ATTENTION_ITEMS, WRONG_ANSWERS = 50, 20, 8
QUESTION_LIMIT = 300
RETURN_FIELDS = ("code", "outcome", "participant", "study", "session")
RETURN_FIELD = re.compile(r"\{([^{}]*)\}")
MONEY = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?")


class Money(Kind):
    """An amount with at most two decimals, as a number or a text."""

    nothing = Decimal(0)

    def value_of(self, value: Any) -> Decimal:
        text = str(value) if isinstance(value, int | float | str | Decimal) and not isinstance(value, bool) else ""
        if not MONEY.fullmatch(text):
            raise Wrong(gettext_noop("must be an amount with at most two decimals, not %(value)s"), value=shown(value))
        return Decimal(text)


class ReturnAddress(Kind):
    """Where people go back to: https, a host that is no placeholder, known fields in braces."""

    nothing = ""

    def value_of(self, value: Any) -> str:
        text = url_of(("https://",), gettext_noop("must start with https://"), may_be_empty=True).value_of(value)
        if not text:
            return ""
        host, port, has_user = _parts_of(text)
        if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", host) or "." not in host or port not in (None, 443):
            raise Wrong(gettext_noop("must name a host of the platform, without a port"))
        if has_user:
            raise Wrong(gettext_noop("must not hold a user name or password"))
        for field in RETURN_FIELD.findall(text):
            if field not in RETURN_FIELDS:
                known = ", ".join(RETURN_FIELDS)
                raise Wrong(gettext_noop("knows no {%(field)s}; there are %(known)s"), field=shown(field), known=known)
        return str(text)


def _parts_of(text: str) -> tuple[str, int | None, bool]:
    try:
        parts = urlsplit(text)
        return parts.hostname or "", parts.port, parts.username is not None or parts.password is not None
    except ValueError:
        raise Wrong(gettext_noop("is no address")) from None


PARAMETER = Checked(
    Text(60, may_be_empty=True),
    lambda text: not text or re.fullmatch(r"[A-Za-z0-9_.-]+", text),
    gettext_noop("may hold letters, digits, dots, - and _ only"),
)
CURRENCY = Checked(Text(3), re.compile(r"[A-Z]{3}").fullmatch, gettext_noop("must be three capital letters, as CNY"))
EXCLUDED = Checked(
    Text(121),
    re.compile(r"[a-z0-9][a-z0-9_-]{0,59}(/[a-z0-9][a-z0-9_-]{0,59})?", re.IGNORECASE | re.ASCII).fullmatch,
    gettext_noop("must be the slug of a campaign, or campaign/study"),
)
ANSWER = BothTexts(limit=QUESTION_LIMIT)


@dataclass(frozen=True)
class Answers(Kind):
    """The wrong answers of a question."""

    nothing = ()

    def read(self, value: Any, place: str, name: str, notes: Any) -> tuple[Texts, ...] | None:
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= WRONG_ANSWERS:
            notes.note(f"{place} {name}".strip(), gettext_noop("must hold 1 to %(n)s answers"), n=WRONG_ANSWERS)
            return None
        read = [text for one in value if (text := ANSWER.read(one, place, name, notes)) is not None]
        return tuple(read) if len(read) == len(value) else None


@dataclass(frozen=True, slots=True)
class AttentionSpec:
    """A question that shows whether somebody reads: one right answer, and wrong ones."""

    question: Annotated[Texts, ANSWER]
    right: Annotated[Texts, ANSWER]
    wrong: Annotated[tuple[Texts, ...], Answers()]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySpec:
    """A study; amounts are in `currency`, `screening_percent` is NULL where nobody is screened."""

    key: Annotated[str, SLUG]
    role: Annotated[str, Choice(ROLES_OF_STUDIES)]
    platform: Annotated[str, Choice(PLATFORMS)]
    quota: Annotated[int, Whole(1, MOST_PEOPLE)]
    needed: Annotated[int, Whole(1, MOST_WORK)]
    minutes: Annotated[int, Whole(1, MOST_MINUTES)]
    pay: Annotated[Decimal, Money()]
    currency: Annotated[str, CURRENCY]
    name: Annotated[Texts, BothTexts(may_be_empty=True, limit=NAME_LIMIT)] = NO_TEXTS
    welcome: Annotated[Texts, BothTexts(may_be_empty=True, limit=DESCRIPTION_LIMIT)] = NO_TEXTS
    participant_parameter: Annotated[str, PARAMETER] = ""
    study_parameter: Annotated[str, PARAMETER] = ""
    session_parameter: Annotated[str, PARAMETER] = ""
    at_once: Annotated[int | None, Whole(1, MOST_PEOPLE)] = None
    minutes_at_most: Annotated[int | None, Whole(1, MOST_MINUTES)] = None
    bonus: Annotated[Decimal, Money()] = Decimal(0)
    screened_out_pay: Annotated[Decimal, Money()] = Decimal(0)
    return_url: Annotated[str, ReturnAddress()] = ""
    screening_percent: Annotated[int | None, Whole(1, 100)] = None
    attention: Annotated[tuple[AttentionSpec, ...], Rows(table_of(AttentionSpec), most=ATTENTION_ITEMS)] = ()
    attention_wrong_at_most: Annotated[int, Whole(0, ATTENTION_ITEMS)] = 0
    excludes: Annotated[tuple[str, ...], ListOf(EXCLUDED)] = ()


def columns_of(study: StudySpec) -> dict[str, Any]:
    """The columns of a stored study, with what follows from the platform and the time that is expected."""
    names = (study.participant_parameter, study.study_parameter, study.session_parameter)
    names = names if names[0] else PARAMETERS[study.platform]
    return {
        "key": study.key,
        "role": study.role,
        "platform": study.platform,
        "name_zh": study.name.zh,
        "name_en": study.name.en,
        "welcome_zh": study.welcome.zh,
        "welcome_en": study.welcome.en,
        **dict(zip(("participant_parameter", "study_parameter", "session_parameter"), names, strict=True)),
        "quota": study.quota,
        "at_once": study.at_once,
        "n_needed": study.needed,
        "minutes": study.minutes,
        "minutes_at_most": max(study.minutes, study.minutes_at_most or 3 * study.minutes),
        "pay": study.pay,
        "bonus": study.bonus,
        "screened_out_pay": study.screened_out_pay,
        "currency": study.currency,
        "return_url": study.return_url,
        "return_host": (urlsplit(study.return_url).hostname or "") if study.return_url else "",
        "screening_percent": study.screening_percent if study.role == "reviewer" else None,
        "attention": [_item(one) for one in study.attention],
        "attention_wrong_at_most": study.attention_wrong_at_most,
        "excludes": list(study.excludes),
    }


def _item(one: AttentionSpec) -> dict[str, Any]:
    return {"question": _both(one.question), "right": _both(one.right), "wrong": [_both(text) for text in one.wrong]}


def _both(texts: Texts) -> dict[str, str]:
    return {"zh": texts.zh, "en": texts.en}


def study_document(study: Any) -> dict[str, Any]:
    """The row of a campaign file that stores the study as it is; without its codes."""
    row = {
        "key": study.key,
        "role": study.role,
        "platform": study.platform,
        "quota": study.quota,
        "needed": study.n_needed,
        "minutes": study.minutes,
        "pay": str(study.pay),
        "currency": study.currency,
        "name": {"zh": study.name_zh, "en": study.name_en},
        "welcome": {"zh": study.welcome_zh, "en": study.welcome_en},
        "participant_parameter": study.participant_parameter,
        "study_parameter": study.study_parameter,
        "session_parameter": study.session_parameter,
        "at_once": study.at_once,
        "minutes_at_most": study.minutes_at_most,
        "bonus": str(study.bonus),
        "screened_out_pay": str(study.screened_out_pay),
        "return_url": study.return_url,
        "screening_percent": study.screening_percent,
        "attention": study.attention,
        "attention_wrong_at_most": study.attention_wrong_at_most,
        "excludes": study.excludes,
    }
    return {
        name: value for name, value in row.items() if value not in ("", None, [], 0, "0", "0.00", {"zh": "", "en": ""})
    }
