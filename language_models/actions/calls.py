"""The ledger of calls: each is counted with the most that it can take before it is sent, and set right when it has ended.

The count is one conditional update of each of the two rows of spending, so that the budget holds however many processes ask.
The ledger is its own record; the trail has no line for a call.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import F

from campaigns.models import Campaign
from language_models.models import (
    IN_ALL,
    MEASURES,
    ModelCall,
    ModelEndpoint,
    ModelSpending,
    Outcome,
    billionths,
    day_of,
)
from language_models.prompts import Most
from language_models.refusals import WITHDRAWN, ModelRefusal, Why, budget_spent
from reading.findings import Finding, sentence


@transaction.atomic
def begin_call(*, endpoint: ModelEndpoint, purpose: str, digest: str, most: Most, at: datetime) -> ModelCall:
    """Counts the call before it is made. Errors: `ModelRefusal` (withdrawn, budget_spent); then nothing is counted."""
    endpoint = ModelEndpoint.objects.get(pk=endpoint.pk)
    if endpoint.withdrawn_at is not None:
        raise ModelRefusal(Why.WITHDRAWN, sentence(WITHDRAWN, key=endpoint.key))
    taken = {"calls": 1, "tokens": most.tokens, "billionths": billionths(most.cost)}
    for period in (day_of(at), IN_ALL):
        _count(endpoint, period, taken)
    return ModelCall.objects.create(
        endpoint=endpoint,
        purpose=purpose,
        digest=digest,
        at=at,
        tokens_in=most.tokens_in,
        tokens_out=most.tokens_out,
        cost=most.cost,
        is_counted_by_us=True,
    )


def _count(endpoint: ModelEndpoint, period: str, taken: dict[str, int]) -> None:
    ModelSpending.objects.get_or_create(endpoint=endpoint, period=period)
    row = ModelSpending.objects.filter(endpoint=endpoint, period=period)
    left, is_in_all = row, period == IN_ALL
    for column, measure in zip(taken, MEASURES, strict=True):
        budget = endpoint.budget(measure, is_in_all=is_in_all)
        if budget is not None:
            most = billionths(budget) if measure == "cost" else budget
            left = left.filter(**{f"{column}__lte": most - taken[column]})
    if left.update(**{column: F(column) + n for column, n in taken.items()}):
        return
    spent = row.get()
    for column, measure in zip(taken, MEASURES, strict=True):
        budget = endpoint.budget(measure, is_in_all=is_in_all)
        most = None if budget is None else billionths(budget) if measure == "cost" else budget
        if most is not None and getattr(spent, column) + taken[column] > most:
            raise budget_spent(endpoint.key, measure, is_in_all=is_in_all)
    raise AssertionError("the row of spending was held in this transaction")


@transaction.atomic
def end_call(
    *,
    call: ModelCall,
    outcome: Outcome,
    at: datetime,
    used: tuple[int, int, Decimal] | None = None,
    status: int | None = None,
    model: str = "",
    answer: str = "",
    trouble: Finding | None = None,
) -> None:
    """Stores what became of the call. `used` is tokens in, tokens out and cost; without it the bound that was counted stands."""
    held = ModelCall.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if held.outcome != Outcome.ASKED:
        return
    if used is not None:
        tokens_in, tokens_out, cost = used
        change = {
            "tokens": tokens_in + tokens_out - held.tokens_in - held.tokens_out,
            "billionths": billionths(cost) - billionths(held.cost),
        }
        for period in (day_of(held.at), IN_ALL):
            row = ModelSpending.objects.filter(endpoint_id=held.endpoint_id, period=period)
            row.update(**{column: F(column) + n for column, n in change.items()})
        held.tokens_in, held.tokens_out, held.cost, held.is_counted_by_us = tokens_in, tokens_out, cost, False
    held.outcome, held.ended_at, held.status, held.model, held.answer = outcome, at, status, model, answer
    held.trouble = trouble.to_json() if trouble else []
    held.save()


def forget_answers(*, campaigns: Iterable[Campaign]) -> int:
    """Empties what models answered there, which may repeat what people said; counts and digests stay. Call inside the transaction of what asks for it.

    Nothing joins a call to a dialogue, so all of a campaign's go; a later question costs a call again.
    """
    calls = ModelCall.objects.filter(endpoint__campaign__in=campaigns).exclude(answer="", trouble=[])
    return calls.update(answer="", trouble=[])


@transaction.atomic
def note_from_cache(*, earlier: ModelCall, purpose: str, at: datetime) -> ModelCall:
    """An answer that was there: counted in no budget, as nothing is asked."""
    return ModelCall.objects.create(
        endpoint_id=earlier.endpoint_id,
        purpose=purpose,
        digest=earlier.digest,
        at=at,
        ended_at=at,
        outcome=Outcome.ANSWERED,
        model=earlier.model,
        is_from_cache=True,
    )
