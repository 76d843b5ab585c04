"""The ledger of calls: each is counted with the most that it can take before it is sent, and set right when it has ended.

Counting holds the two rows of spending until the commit, so that budgets hold however many processes ask. The ledger is its own record; the trail has no
line for a call.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.models import Campaign
from language_models.models import (
    IN_ALL,
    MEASURES,
    ModelCall,
    ModelEndpoint,
    ModelSpending,
    Outcome,
    billionths,
    budget_name,
    common_budget,
    day_of,
)
from language_models.prompts import Most
from language_models.refusals import CAMPAIGN_BUDGET_SPENT, WITHDRAWN, ModelRefusal, Used, Why, budget_spent
from reading.findings import Finding, sentence


@transaction.atomic
def begin_call(*, endpoint: ModelEndpoint, purpose: str, digest: str, most: Most, at: datetime) -> ModelCall:
    """Counts the call before it is made. Errors: `ModelRefusal` (withdrawn, budget_spent); then nothing is counted."""
    endpoint = ModelEndpoint.objects.select_related("campaign").get(pk=endpoint.pk)
    if endpoint.withdrawn_at is not None:
        raise ModelRefusal(Why.WITHDRAWN, sentence(WITHDRAWN, key=endpoint.key))
    _wait_for_others(endpoint.campaign)
    for period in (day_of(at), IN_ALL):
        ModelSpending.objects.get_or_create(endpoint=endpoint, period=period)
        own = ModelSpending.objects.filter(endpoint=endpoint, period=period)
        own.update(
            calls=F("calls") + 1, tokens=F("tokens") + most.tokens, billionths=F("billionths") + billionths(most.cost)
        )
        _refuse_beyond_budgets(endpoint, period)
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


def _wait_for_others(campaign: Campaign) -> None:
    """Where models have a budget together, one call is counted at a time; endpoints are held before any row of spending."""
    budgets = (
        common_budget(campaign, measure, is_in_all=is_in_all) for measure in MEASURES for is_in_all in (False, True)
    )
    if any(budget is not None for budget in budgets):
        list(campaign.model_endpoints.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _refuse_beyond_budgets(endpoint: ModelEndpoint, period: str) -> None:
    is_in_all, rows = period == IN_ALL, ModelSpending.objects.filter(period=period)
    of_campaign = rows.filter(endpoint__campaign=endpoint.campaign)
    for measure in MEASURES:
        if _is_over(rows.filter(endpoint=endpoint), measure, endpoint.budget(measure, is_in_all=is_in_all)):
            raise budget_spent(endpoint.key, measure, is_in_all=is_in_all)
        # Sums over currencies mean nothing.
        alike = of_campaign.filter(endpoint__currency=endpoint.currency) if measure == "cost" else of_campaign
        if _is_over(alike, measure, common_budget(endpoint.campaign, measure, is_in_all=is_in_all)):
            setting = SETTINGS[f"model_{budget_name(measure, is_in_all=is_in_all)}"].place
            raise ModelRefusal(Why.BUDGET_SPENT, sentence(CAMPAIGN_BUDGET_SPENT, setting=setting))


def _is_over(rows: QuerySet[ModelSpending], measure: str, budget: Any | None) -> bool:
    if budget is None:
        return False
    column, most = ("billionths", billionths(Decimal(budget))) if measure == "cost" else (measure, budget)
    return bool(rows.aggregate(spent=Sum(column))["spent"] > most)


@transaction.atomic
def end_call(
    *,
    call: ModelCall,
    outcome: Outcome,
    at: datetime,
    used: Used | None = None,
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
