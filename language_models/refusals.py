"""Why a model gave no answer that can be used. Pure."""

from decimal import Decimal
from enum import StrEnum

from django.utils.translation import gettext_noop

from reading.findings import Finding, sentence
from serving.refused import Refused

# Tokens in, tokens out, and cost.
Used = tuple[int, int, Decimal]
NOTHING_USED: Used = (0, 0, Decimal(0))


class Why(StrEnum):
    """Programs read the values."""

    WITHDRAWN = "withdrawn"
    BUDGET_SPENT = "budget_spent"
    KEY_LOST = "key_lost"
    PROMPT_TOO_LONG = "prompt_too_long"
    UNAVAILABLE = "unavailable"
    REFUSED = "refused_by_model"
    BAD_ANSWER = "bad_answer"


class ModelRefusal(Refused):
    """`finding` is for organizers, in their language. `after_s` is how long the server asks to be left alone, if it said so.

    `used` is what the call took: an unusable answer is paid for, too.
    """

    def __init__(self, why: Why, finding: Finding, *, after_s: float | None = None, used: Used = NOTHING_USED) -> None:
        super().__init__(why)
        self.code = str(why)
        self.why = why
        self.finding = finding
        self.after_s = after_s
        self.used = used

    def __str__(self) -> str:
        return str(self.finding)


WITHDRAWN = gettext_noop("The model “%(key)s” was withdrawn.")
KEY_LOST = gettext_noop("The key of the model “%(key)s” cannot be read any more: type it again.")
PROMPT_TOO_LONG = gettext_noop("The prompt has %(n)s characters; %(limit)s are the most.")
BUDGET_SPENT = {
    ("calls", False): gettext_noop("The calls that the model “%(key)s” may have today are used up."),
    ("tokens", False): gettext_noop("The tokens that the model “%(key)s” may use today do not suffice for another call."),
    ("cost", False): gettext_noop("The money that the model “%(key)s” may cost today does not suffice for another call."),
    ("calls", True): gettext_noop("The calls that the model “%(key)s” may have in all are used up."),
    ("tokens", True): gettext_noop("The tokens that the model “%(key)s” may use in all do not suffice for another call."),
    ("cost", True): gettext_noop("The money that the model “%(key)s” may cost in all does not suffice for another call."),
}  # fmt: skip
# `setting` is its place in a campaign file.
CAMPAIGN_BUDGET_SPENT = gettext_noop("What all models of the campaign may take together does not suffice for another call: %(setting)s.")  # fmt: skip
NOT_NOW = gettext_noop("The model's server answers %(status)s: it has no time now.")
LATER = gettext_noop("The model's server answers %(status)s and wants to be left alone for %(seconds)s s.")
STATUS = gettext_noop("The model's server answers %(status)s: %(said)s")


def budget_spent(key: str, what: str, *, is_in_all: bool) -> ModelRefusal:
    return ModelRefusal(Why.BUDGET_SPENT, sentence(BUDGET_SPENT[what, is_in_all], key=key))
