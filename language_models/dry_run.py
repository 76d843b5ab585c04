"""What would be asked, word for word, and what it can cost: printed before anything is. Pure."""

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from language_models.prompts import Asked, Prompt, cost_of, most_of, prompt_digest, request_of


def dry_run(asked: Asked, prompts: Iterable[Prompt], *, currency: str) -> str:
    """Each request as it would be sent, with its digest and the most that it can take; the sum of all comes last.

    The bound of the tokens asked is for any text; about a third of it (Chinese) or a fourth (English) is what vendors count.
    """
    lines, tokens_in, tokens_out = list[str](), 0, 0
    for number, prompt in enumerate(prompts, start=1):
        most = most_of(prompt, asked)
        tokens_in, tokens_out = tokens_in + most.tokens_in, tokens_out + most.tokens_out
        lines += [
            f"== request {number}, digest {prompt_digest(prompt, asked)[:16]}, "
            f"at most {most.tokens_in} + {most.tokens_out} tokens, {_money(most.cost)} {currency}",
            json.dumps(request_of(prompt, asked), ensure_ascii=False, indent=2),
        ]
    cost: Any = cost_of(tokens_in, tokens_out, asked)
    return "\n".join([*lines, f"== in all at most {tokens_in} + {tokens_out} tokens, {_money(cost)} {currency}"])


def _money(cost: Decimal) -> str:
    return f"{cost.normalize():f}"
