"""A model as it is typed into the page's form: read as files and the API read it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from campaigns.campaign_file.model_specs import BUDGET_LIMIT, ModelSpec
from language_models.models import Answers, ModelEndpoint
from language_models.prompts import money
from reading.checking import BadForm, Problems
from reading.digits import whole_or_none
from reading.findings import Finding
from reading.strict_json import NotJson, loads
from reading.tables import table_of

SPEC = table_of(ModelSpec)
COUNTS = ("calls_a_day", "tokens_a_day", "calls_in_all", "tokens_in_all")
MONEY = ("price_in", "price_out", "cost_a_day", "cost_in_all")
TEXTS = ("key", "url", "model", "answers", "currency")
# Longer ones are no amounts, and `float` reads them all.
AMOUNT_CHARACTERS = 20
OPTIONS_LIMIT = 4000


def read_model(posted: QueryDict, key: str | None = None) -> ModelSpec:
    """The model of a form; `key` is that of the stored one. Errors: `BadForm` naming every wrong field."""
    problems = Problems()
    typed_texts = {name: str(posted.get(name, "")).strip() for name in TEXTS}
    said: dict[str, Any] = {name: typed for name, typed in typed_texts.items() if typed}
    if key is not None:
        said["key"] = key
    if posted.get("no_secret"):
        said["secret"] = ""
    elif posted.get("secret"):
        said["secret"] = posted["secret"]
    for name in (*COUNTS, *MONEY):
        if typed := posted.get(name, "").strip():
            said[name] = _number(typed, is_whole=name in COUNTS)
    if typed := posted.get("options", "").strip():
        try:
            said["options"] = loads(typed[:OPTIONS_LIMIT])
        except NotJson as bad:
            problems.add(Finding("options", bad.finding.text, bad.finding.values))
    spec: ModelSpec = SPEC.read(said, "", "", problems)
    problems.refuse(BadForm)
    return spec


def _number(typed: str, *, is_whole: bool) -> Any:
    """The number; any other text is left as typed, for the reader to name."""
    if is_whole:
        number = whole_or_none(typed, len(str(BUDGET_LIMIT)))
        return typed if number is None else number
    try:
        return float(typed) if typed.isascii() and len(typed) <= AMOUNT_CHARACTERS else typed
    except ValueError:
        return typed


@dataclass(frozen=True, slots=True)
class NumberField:
    name: str
    label: str
    value: str
    wrong: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class ModelForm:
    """What the form shows: what was typed, else what is stored; never a secret. `wrong` is by field."""

    typed: Mapping[str, str]
    wrong: Mapping[str, str]
    endpoint: ModelEndpoint | None = None

    @property
    def answers(self) -> list[tuple[str, Any]]:
        return list(Answers.choices)

    @property
    def has_secret(self) -> bool:
        return self.endpoint is not None and self.endpoint.has_secret

    @property
    def prices(self) -> list[NumberField]:
        return self._numbers(
            {"price_in": _("Price per million input tokens"), "price_out": _("Price per million output tokens")}
        )

    @property
    def budgets_a_day(self) -> list[NumberField]:
        return self._numbers(
            {"calls_a_day": _("Calls a day"), "tokens_a_day": _("Tokens a day"), "cost_a_day": _("Money a day")}
        )

    @property
    def budgets_in_all(self) -> list[NumberField]:
        return self._numbers(
            {"calls_in_all": _("Calls in all"), "tokens_in_all": _("Tokens in all"), "cost_in_all": _("Money in all")}
        )

    def _numbers(self, labels: Mapping[str, str]) -> list[NumberField]:
        return [
            NumberField(name, label, self.typed.get(name, ""), self.wrong.get(name, ""), name in COUNTS)
            for name, label in labels.items()
        ]


def blank_form() -> ModelForm:
    return ModelForm({"answers": Answers.JSON_SCHEMA.value, "currency": "USD"}, {})


def form_of(endpoint: ModelEndpoint) -> ModelForm:
    names = (*TEXTS, *COUNTS, *MONEY)
    typed = {name: _shown(getattr(endpoint, name)) for name in names}
    typed["options"] = json.dumps(endpoint.options, ensure_ascii=False, indent=2) if endpoint.options else ""
    return ModelForm(typed, {}, endpoint)


def _shown(value: Any) -> str:
    if isinstance(value, Decimal):
        return money(value)
    return "" if value is None else str(value)


def typed_form(posted: QueryDict, bad: BadForm | None, endpoint: ModelEndpoint | None = None) -> ModelForm:
    typed = {name: str(posted[name]) for name in posted if name not in {"secret", "csrfmiddlewaretoken"}}
    wrong: dict[str, str] = {}
    for problem in bad.problems if bad else ():
        field, _dot, inner = problem.place.partition(".")
        said = f"{inner}: {problem.message}" if inner else problem.message
        wrong.setdefault(field.partition("[")[0], said)
    return ModelForm(typed, wrong, endpoint)
