"""What would be asked, word for word, and the most that it can take, before anything is asked. Pure."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypedDict

from django.utils.translation import gettext as _

from language_models.prompts import Asked, Prompt, money, most_of, prompt_digest, request_of


@dataclass(frozen=True, slots=True)
class CostBound:
    """The most that some calls take together."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: Decimal
    currency: str

    @property
    def cost_in_words(self) -> str:
        return money(self.cost)


def bound_of(calls: Iterable[tuple[int, Prompt]], asked: Asked, currency: str) -> CostBound:
    """Of calls with these prompts, each made that often."""
    n, tokens_in, tokens_out, cost = 0, 0, 0, Decimal(0)
    for times, prompt in calls:
        most = most_of(prompt, asked)
        n, cost = n + times, cost + times * most.cost
        tokens_in, tokens_out = tokens_in + times * most.tokens_in, tokens_out + times * most.tokens_out
    return CostBound(n, tokens_in, tokens_out, cost, currency)


class DryRequest(TypedDict):
    """As JSON holds it."""

    digest: str
    request: dict[str, Any]


class DryRun(TypedDict):
    """`requests` as they would be sent; the numbers are the most that all of them can take together.

    The bound of the tokens asked is for any text; about a third of it (Chinese) or a fourth (English) is what vendors count.
    """

    requests: list[DryRequest]
    tokens_in: int
    tokens_out: int
    cost: float
    currency: str


def dry_request(prompt: Prompt, asked: Asked) -> DryRequest:
    return {"digest": prompt_digest(prompt, asked), "request": request_of(prompt, asked)}


def dry_run(asked: Asked, prompts: Iterable[Prompt], *, currency: str) -> DryRun:
    """Nothing is asked, and nothing is stored."""
    listed = list(prompts)
    bound = bound_of(((1, one) for one in listed), asked, currency)
    return {
        "requests": [dry_request(one, asked) for one in listed],
        "tokens_in": bound.tokens_in,
        "tokens_out": bound.tokens_out,
        "cost": float(bound.cost),
        "currency": bound.currency,
    }


def as_text(run: DryRun) -> str:
    """As commands print it: each request, and the sum of all last."""
    lines = []
    for number, one in enumerate(run["requests"], start=1):
        lines += [
            f"== request {number}, digest {one['digest'][:16]}",
            json.dumps(one["request"], ensure_ascii=False, indent=2),
        ]
    return "\n".join([*lines, f"== in all at most {at_most(run)}"])


def at_most(run: DryRun) -> str:
    text = _("%(tokens_in)s + %(tokens_out)s tokens, %(cost)s %(currency)s")
    tokens = {"tokens_in": f"{run['tokens_in']:,}", "tokens_out": f"{run['tokens_out']:,}"}
    return text % {**tokens, "cost": money(run["cost"]), "currency": run["currency"]}
