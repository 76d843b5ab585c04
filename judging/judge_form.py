"""What a judge is declared with, by the page's form and by programs: one table of fields. Pure."""

from collections.abc import Mapping
from typing import Any

from judging.limits import INSTRUCTIONS_LIMIT, MAKER_LIMIT, SAMPLES_LIMIT
from participants.limits import KEY_LIMIT
from reading.checking import BadForm, Problems
from reading.digits import whole_or_none
from reading.kinds import SLUG, Choice, Number, Text, Whole
from reading.tables import Field, Table

# Samples multiply it by a thousand, and many servers take seeds of 32 bits.
SEED_LIMIT = 2_000_000
DIGITS = 10
FIELDS = Table(
    {
        "key": Field(SLUG),
        "model": Field(Text(KEY_LIMIT)),
        "language": Field(Choice(("zh", "en")), "zh"),
        "n_samples": Field(Whole(1, SAMPLES_LIMIT), 3),
        "temperature": Field(Number(0, 2), 0.0),
        "share": Field(Whole(1, 100), 100),
        "seed": Field(Whole(0, SEED_LIMIT), 0),
        "instructions": Field(Text(INSTRUCTIONS_LIMIT, may_be_empty=True), ""),
        "maker": Field(Text(MAKER_LIMIT, may_be_empty=True), ""),
    }
)
WHOLE_FIELDS = ("n_samples", "share", "seed")


def read_form(posted: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as they were typed. Errors: `BadForm` naming every wrong one."""
    said: dict[str, Any] = {name: posted[name] for name in FIELDS.fields if posted.get(name, "") != ""}
    for name in WHOLE_FIELDS:
        if name in said:
            number = whole_or_none(said[name].strip(), DIGITS)
            said[name] = said[name] if number is None else number
    if "temperature" in said:
        said["temperature"] = _number(said["temperature"])
    problems = Problems()
    read: dict[str, Any] = FIELDS.read(said, "", "", problems)
    problems.refuse(BadForm)
    return read


def _number(typed: str) -> Any:
    """What is no number is left as it was typed, for the reader to name."""
    try:
        return float(typed) if typed.isascii() and len(typed) <= DIGITS else typed
    except ValueError:
        return typed
