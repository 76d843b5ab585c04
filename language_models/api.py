"""REST: a campaign's models, what they took, and their calls; the same acts and rules as the pages."""

from decimal import Decimal
from typing import Annotated, Any, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.campaign_file.model_specs import ModelSpec
from language_models.actions.endpoints import change_model, check_model, declare_model, withdraw_model
from language_models.models import ModelEndpoint
from language_models.pages import calls_of, endpoint_in
from language_models.spending import with_spending
from reading.json_schemas import Moment
from reading.tables import Table, table_of

DECLARING = table_of(ModelSpec)
# The key names the model, and stays.
CHANGING = Table({name: field for name, field in DECLARING.fields.items() if name != "key"})


def _number(name: str) -> Any:
    """A price or an amount of a budget, as JSON has numbers."""

    def read(thing: Any) -> Any:
        value = getattr(thing, name)
        return float(value) if isinstance(value, Decimal) else value

    return From(read)


class SpentAnswer(TypedDict):
    """`measure` is calls, tokens or cost; a budget of null is unlimited. Days are those of UTC."""

    measure: str
    today: Annotated[float, _number("today")]
    budget_a_day: Annotated[float | None, _number("budget_a_day")]
    in_all: Annotated[float, _number("in_all")]
    budget_in_all: Annotated[float | None, _number("budget_in_all")]


class ModelAnswered(TypedDict):
    """`has_secret` says whether a key is stored; no answer holds it. Prices are per million tokens."""

    id: Annotated[int, From("endpoint.pk")]
    key: Annotated[str, From("endpoint.key")]
    url: Annotated[str, From("endpoint.url")]
    model: Annotated[str, From("endpoint.model")]
    has_secret: Annotated[bool, From("endpoint.has_secret")]
    answers: Annotated[str, From("endpoint.answers")]
    options: Annotated[dict[str, Any], From("endpoint.options")]
    currency: Annotated[str, From("endpoint.currency")]
    price_in: Annotated[float, From(lambda row: float(row.endpoint.price_in))]
    price_out: Annotated[float, From(lambda row: float(row.endpoint.price_out))]
    declared_at: Annotated[Moment, From("endpoint.declared_at")]
    spent: list[SpentAnswer]


class ModelsAnswer(TypedDict):
    models: list[ModelAnswered]


class CheckAnswer(TypedDict):
    """`model` is the server's own name for what answered."""

    text: str
    tokens_in: int
    tokens_out: int
    cost: Annotated[float, _number("cost")]
    model: str
    digest: str


class CallAnswer(TypedDict):
    """`trouble` says in words why there is no usable answer. `is_counted_by_us`: the server named no tokens, and the bound stands."""

    id: Annotated[int, From("pk")]
    purpose: str
    digest: str
    at: Moment
    ended_at: Moment | None
    outcome: str
    status: int | None
    tokens_in: int
    tokens_out: int
    cost: Annotated[float, _number("cost")]
    is_counted_by_us: bool
    is_from_cache: bool
    model: str
    trouble: Annotated[str, From("trouble_in_words")]


def _answered(endpoint: ModelEndpoint) -> Any:
    return encoded(ModelAnswered, with_spending([endpoint], timezone.now())[0])


class Models(OrganizersView):
    @describes("Lists the language models of a campaign, with what they took", ModelsAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return {"models": with_spending(self.campaign.model_endpoints.in_use(), timezone.now())}

    @describes("Declares a language model", ModelAnswered, 201, reads=DECLARING, refuses=(409, 422))
    def post(self, request: Request) -> Any:
        spec = body_in(request, DECLARING)
        return _answered(declare_model(campaign=self.campaign, spec=spec, by=person_of(request), at=timezone.now()))


class OneModel(OrganizersView):
    @describes("Shows a language model, with what it took", ModelAnswered)
    def get(self, request: Request, endpoint_id: int) -> Any:
        return _answered(endpoint_in(self.campaign, endpoint_id))

    @describes("Changes a language model; without `secret` the stored key stays", ModelAnswered, reads=CHANGING, refuses=(409, 422))  # fmt: skip
    def put(self, request: Request, endpoint_id: int) -> Any:
        endpoint = endpoint_in(self.campaign, endpoint_id)
        spec = ModelSpec(key=endpoint.key, **body_in(request, CHANGING))
        return _answered(change_model(endpoint=endpoint, spec=spec, by=person_of(request), at=timezone.now()))

    @describes("Withdraws a language model and forgets its key; its calls stay", None, 204, refuses=(409,))
    def delete(self, request: Request, endpoint_id: int) -> Response:
        withdraw_model(endpoint=endpoint_in(self.campaign, endpoint_id), by=person_of(request), at=timezone.now())
        return Response(status=204)


class ModelCheck(OrganizersView):
    @describes("Makes one counted test call to a language model", CheckAnswer, refuses=(409, 429))
    def post(self, request: Request, endpoint_id: int) -> Any:
        endpoint = endpoint_in(self.campaign, endpoint_id)
        return check_model(endpoint=endpoint, by=person_of(request), at=timezone.now())


class ModelCalls(OrganizersView):
    @describes("Lists the calls of a language model, the latest first", list[CallAnswer], asks=PAGES)
    def get(self, request: Request, endpoint_id: int) -> Page:
        return page_of(request, calls_of(endpoint_in(self.campaign, endpoint_id)))
