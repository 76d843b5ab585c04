"""A language model as files, forms and the API declare it: `[[models]]` of a campaign file. Pure; `language_models` stores and asks it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from participants.limits import NAME_LIMIT, SECRET
from reading.findings import under
from reading.kinds import SLUG, Checked, Choice, FreeTable, Kind, ListOf, Notes, Number, Text, Whole, http_url
from reading.tables import Field, Table

MODELS = 50
ANSWERS = ("json_schema", "tools", "text")
CURRENCY_LIMIT = 8
TRIES, TRIES_LIMIT = 3, 5
DEADLINE_S, DEADLINE_LIMIT_S = 60, 600
BUDGET_LIMIT = 10**12
MONEY_LIMIT = 10**8
# Fields of the request that the platform fills in itself, and those that would multiply an answer: a call is counted as one.
OURS = frozenset({
    "model", "messages", "stream", "stream_options", "temperature", "seed", "max_tokens", "max_completion_tokens",
    "response_format", "tools", "tool_choice", "n", "best_of", "background",
})  # fmt: skip


class ExtraFields(FreeTable):
    """Further fields of a request's body."""

    def read(self, value: Any, place: str, name: str, notes: Notes) -> dict[str, Any] | None:
        table = super().read(value, place, name, notes)
        for own in sorted(OURS & (table or {}).keys()):
            text = gettext_noop("is filled in by the platform, or would make several answers of one call")
            notes.note(under(under(place, name), own), text)
        return table


def _without_nothing(**said: Any) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value is not None
    }


OPTIONS = Table(
    {
        "extra": Field(ExtraFields(), None),
        "leave_out": Field(ListOf(Choice(("temperature", "seed"))), None),
        "length_field": Field(Choice(("max_tokens", "max_completion_tokens")), None),
        "deadline_s": Field(Whole(1, DEADLINE_LIMIT_S), None),
        "tries": Field(Whole(1, TRIES_LIMIT), None),
    },
    _without_nothing,
)
CURRENCY = Checked(
    Text(CURRENCY_LIMIT), lambda text: text.isascii() and text.isalpha() and text.isupper(), gettext_noop("must be capital letters, such as USD or CNY")
)  # fmt: skip
PRICE: Kind = Number(0, MONEY_LIMIT)
COUNT: Kind = Whole(0, BUDGET_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """`secret` is None where the stored one stays. Prices are per million tokens; a budget of None is unlimited."""

    key: Annotated[str, SLUG]
    url: Annotated[str, http_url()]
    model: Annotated[str, Text(NAME_LIMIT)]
    secret: Annotated[str | None, SECRET] = None
    answers: Annotated[str, Choice(ANSWERS)] = "json_schema"
    options: Annotated[Mapping[str, Any], OPTIONS] = field(default_factory=dict)
    price_in: Annotated[float, PRICE] = 0.0
    price_out: Annotated[float, PRICE] = 0.0
    currency: Annotated[str, CURRENCY] = "USD"
    calls_a_day: Annotated[int | None, COUNT] = None
    tokens_a_day: Annotated[int | None, COUNT] = None
    cost_a_day: Annotated[float | None, PRICE] = None
    calls_in_all: Annotated[int | None, COUNT] = None
    tokens_in_all: Annotated[int | None, COUNT] = None
    cost_in_all: Annotated[float | None, PRICE] = None
