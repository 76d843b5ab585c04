"""What would be asked, word for word, and the most that it can take, before anything is asked. Pure."""

import json
from collections.abc import Iterable
from typing import Any, TypedDict

from django.utils.translation import gettext as _

from language_models.prompts import Asked, Prompt, cost_of, money, most_of, prompt_digest, request_of


class DryRequest(TypedDict):
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


def dry_run(asked: Asked, prompts: Iterable[Prompt], *, currency: str) -> DryRun:
    """Nothing is asked, and nothing is stored."""
    listed = list(prompts)
    most = [most_of(prompt, asked) for prompt in listed]
    tokens_in, tokens_out = sum(one.tokens_in for one in most), sum(one.tokens_out for one in most)
    return {
        "requests": [{"digest": prompt_digest(one, asked), "request": request_of(one, asked)} for one in listed],
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "cost": float(cost_of(tokens_in, tokens_out, asked)),
        "currency": currency,
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
