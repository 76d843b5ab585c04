"""What endpoints may take and have taken, as pages and the API tell it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from language_models.models import IN_ALL, MEASURES, ModelEndpoint, ModelSpending, day_of
from language_models.prompts import money


@dataclass(frozen=True, slots=True)
class Spent:
    """One measure of an endpoint: `calls`, `tokens` or `cost`; a budget of None is unlimited."""

    measure: str
    today: Any
    budget_a_day: Any | None
    in_all: Any
    budget_in_all: Any | None

    @property
    def of_today(self) -> str:
        return _of(self.today, self.budget_a_day)

    @property
    def of_all(self) -> str:
        return _of(self.in_all, self.budget_in_all)


def _of(spent: Any, budget: Any | None) -> str:
    return _written(spent) if budget is None else f"{_written(spent)} / {_written(budget)}"


def _written(n: Any) -> str:
    return money(n) if isinstance(n, Decimal) else f"{n:,}"


@dataclass(frozen=True, slots=True)
class EndpointRow:
    endpoint: ModelEndpoint
    spent: Sequence[Spent]


def with_spending(endpoints: Iterable[ModelEndpoint], at: datetime) -> list[EndpointRow]:
    """Each endpoint with what it took on the day of `at` and on all days; one query for all of them."""
    listed = list(endpoints)
    found = ModelSpending.objects.filter(endpoint__in=listed, period__in=(day_of(at), IN_ALL))
    by_place = {(one.endpoint_id, one.period): one for one in found}
    return [EndpointRow(one, _spent_on(one, by_place, at)) for one in listed]


def _spent_on(endpoint: ModelEndpoint, by_place: dict[tuple[int, str], ModelSpending], at: datetime) -> list[Spent]:
    today, in_all = (by_place.get((endpoint.pk, period)) or ModelSpending() for period in (day_of(at), IN_ALL))
    return [
        Spent(
            measure,
            getattr(today, measure),
            endpoint.budget(measure, is_in_all=False),
            getattr(in_all, measure),
            endpoint.budget(measure, is_in_all=True),
        )
        for measure in MEASURES
    ]
