"""What a dialogue can cost, from its prompts alone."""

from decimal import Decimal
from functools import partial

import pytest

from language_models.models import ModelEndpoint
from language_models.prompts import most_of
from simulation.dry_run import REPLY_GUESSED, cost_at_most
from simulation.prompts import MAX_TOKENS, prompt_of
from simulation.talk import BOT, TESTER, Line, Part, Talk

CARD = {
    "title": {"zh": "订票"}, "instructions": {"zh": "订一张票"}, "opening": {"zh": "你好"}, "facts": [], "items": [],
    "subtasks": [{"index": 1, "kind": "flight", "turn_cap": None}],
}  # fmt: skip
ENDPOINT = ModelEndpoint(url="https://models.example/v1", model="tiny", price_in=1, price_out=2, currency="EUR")
ASKED = partial(
    prompt_of, CARD, ticked=[], persona="", difficulty="", language="zh", temperature=0.0, seed=1
)  # fmt: skip


def begun(cap):
    return Talk([Part(1, "flight", None, "open")], cap=cap)


@pytest.mark.parametrize("cap", [1, 39, 40, 41, 60])
def test_the_cost_is_the_sum_over_every_call(cap):
    talk, each = begun(cap), []
    for _ in range(cap + 1):
        each.append(most_of(ASKED(talk), ENDPOINT))
        talk.lines += [Line(TESTER, REPLY_GUESSED[:60]), Line(BOT, REPLY_GUESSED)]
    bound = cost_at_most(begun(cap), ENDPOINT, ASKED)
    assert (bound.calls, bound.tokens_out) == (cap + 1, (cap + 1) * MAX_TOKENS)
    assert bound.tokens_in == sum(one.tokens_in for one in each)
    assert bound.cost == sum((one.cost for one in each), Decimal(0))


def test_no_cap_asks_for_more_prompts_than_are_unlike():
    made = []
    cost_at_most(begun(100_000), ENDPOINT, lambda talk: made.append(ASKED(talk)) or made[-1])
    assert len(made) == 41
