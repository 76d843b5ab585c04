"""Endpoints of models that organizers declare, change and withdraw, and the one call that checks them."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from api.rate_limits import take
from audit.actions import record
from campaigns.actions.registering import checked_url, refuse_another_server
from campaigns.campaign_file.model_specs import MODELS, ModelSpec
from campaigns.models import Campaign
from campaigns.origins import Origin
from language_models.asking import Message, ModelAnswer, Prompt, ask_model
from language_models.limits import MONEY_PLACES
from language_models.models import ModelEndpoint
from language_models.trail_acts import MODEL_CHANGED, MODEL_CHECKED, MODEL_DECLARED, MODEL_WITHDRAWN
from participants.bot_urls import check_service_url
from participants.outbound import Door
from reading.checking import BadForm
from reading.findings import Finding
from reading.strict_json import are_same
from serving.refused import NotYet, Refused

CHECKS_LIMIT = 20
MONEY = ("price_in", "price_out", "cost_a_day", "cost_in_all")
OTHER_CURRENCY = gettext_noop("stays %(currency)s, in which money was spent; declare another key for another currency")
# One word back, so that an organizer sees at once whether the model is there and how it answers a schema.
CHECK = Prompt(
    messages=(
        Message("system", "You check a connection. Do what the user asks and nothing else."),
        Message("user", 'Set "word" to "ready" and "number" to 7.'),
    ),
    schema={
        "type": "object",
        "properties": {
            "word": {"type": "string", "maxLength": 40},
            "number": {"type": "integer", "minimum": 0, "maximum": 9},
        },
        "required": ["word", "number"],
        "additionalProperties": False,
    },
    max_tokens=100,
)


class CannotDeclare(Refused):
    """The sentence says why."""

    code = "cannot_declare"


class TooManyChecks(NotYet):
    code, status = "throttled", 429

    def __str__(self) -> str:
        return _("You have made %(n)s test calls within five minutes. Wait a little.") % {"n": CHECKS_LIMIT}


def columns_of(spec: ModelSpec) -> dict[str, Any]:
    """The columns that a spec fills, without the secret where it is to stay."""
    names = [name for name in spec.__slots__ if name != "secret" or spec.secret is not None]
    columns = {name: getattr(spec, name) for name in names}
    for name in MONEY:
        if columns[name] is not None:
            columns[name] = Decimal(str(columns[name])).quantize(Decimal(1).scaleb(-MONEY_PLACES))
    return columns | {"options": dict(spec.options)}


def differing(endpoint: ModelEndpoint, wanted: Mapping[str, Any]) -> list[str]:
    """Names of the columns that would change; a secret that no key unseals differs from every other."""
    changed = [
        name for name, value in wanted.items() if name != "secret" and not are_same(getattr(endpoint, name), value)
    ]
    if "secret" in wanted and (endpoint.has_lost_its_secret() or endpoint.secret != wanted["secret"]):
        changed.append("secret")
    return changed


def mixes_currencies(endpoint: ModelEndpoint, currency: str) -> bool:
    """Budgets add up all that an endpoint cost, so what was spent fixes its currency."""
    return currency != endpoint.currency and endpoint.spendings.filter(billionths__gt=0).exists()


def _refuse_another_currency(endpoint: ModelEndpoint, currency: str) -> None:
    if mixes_currencies(endpoint, currency):
        raise BadForm([Finding("currency", OTHER_CURRENCY, {"currency": endpoint.currency})])


@transaction.atomic
def declare_model(*, campaign: Campaign, spec: ModelSpec, by: Person, at: datetime) -> ModelEndpoint:
    """A key that was withdrawn is taken up again, with what was spent on it.

    Errors: `BadForm` about the URL or the currency; `CannotDeclare` where the key is in use or there are too many.
    """
    wanted = columns_of(spec) | {"url": checked_url(spec.url, check_service_url)}
    campaign = Campaign.objects.held(campaign.pk)
    earlier = campaign.model_endpoints.filter(key=spec.key).first()
    if earlier is not None and earlier.withdrawn_at is None:
        raise CannotDeclare(gettext_noop("A model “%(key)s” is declared already."), key=spec.key)
    if campaign.model_endpoints.in_use().count() >= MODELS:
        raise CannotDeclare(gettext_noop("A campaign has at most %(n)d models."), n=MODELS)
    endpoint = earlier or ModelEndpoint(campaign=campaign, key=spec.key)
    if earlier is not None:
        _refuse_another_currency(earlier, spec.currency)
    for name, value in wanted.items():
        setattr(endpoint, name, value)
    endpoint.declared_by, endpoint.declared_at, endpoint.withdrawn_at, endpoint.origin = by, at, None, Origin.PAGE
    endpoint.save()
    record(MODEL_DECLARED, by=by, at=at, campaign=campaign.slug, about=endpoint.key, details={"model": endpoint.model})
    return endpoint


@transaction.atomic
def change_model(*, endpoint: ModelEndpoint, spec: ModelSpec, by: Person, at: datetime) -> ModelEndpoint:
    """The key stays; so does the secret where the spec has none, unless the server is another one.

    Errors: `BadForm` about the URL, the secret or the currency; `CannotDeclare` where the model is withdrawn.
    """
    url = checked_url(spec.url, check_service_url)
    endpoint = _held(endpoint)
    if spec.secret is None and endpoint.has_secret:
        refuse_another_server(endpoint.url, url)
    _refuse_another_currency(endpoint, spec.currency)
    wanted = columns_of(spec) | {"url": url, "key": endpoint.key}
    changed = differing(endpoint, wanted)
    for name in changed:
        setattr(endpoint, name, wanted[name])
    # A row of a file that is changed in the browser belongs to the browser from then on.
    endpoint.origin = Origin.PAGE
    endpoint.save(update_fields=[*changed, "origin"])
    slug = endpoint.campaign.slug
    record(MODEL_CHANGED, by=by, at=at, campaign=slug, about=endpoint.key, details={"changed": changed})
    return endpoint


@transaction.atomic
def withdraw_model(*, endpoint: ModelEndpoint, by: Person, at: datetime) -> None:
    """Nothing more is asked of it, and its key is forgotten; its calls stay. Errors: `CannotDeclare` where it is withdrawn already."""
    endpoint = _held(endpoint)
    endpoint.withdrawn_at, endpoint.secret = at, ""
    endpoint.save(update_fields=["withdrawn_at", "secret"])
    record(MODEL_WITHDRAWN, by=by, at=at, campaign=endpoint.campaign.slug, about=endpoint.key)


def check_model(*, endpoint: ModelEndpoint, by: Person, at: datetime) -> ModelAnswer:
    """Makes one call, counted like every other, and gives its answer. Nothing comes from the cache: a check is of now.

    Errors: `TooManyChecks`, `ModelRefusal`.
    """
    taken = take("model-checks", str(by.pk), CHECKS_LIMIT)
    if taken is not None and taken.is_over:
        raise TooManyChecks(taken.resets_in_s)
    # In a transaction of its own: none is open while the model is waited for.
    _note_check(endpoint, by, at)
    return async_to_sync(_check)(endpoint)


async def _check(endpoint: ModelEndpoint) -> ModelAnswer:
    door = Door(settings.OUTBOUND_ALLOW)
    try:
        return await ask_model(endpoint, CHECK, purpose="check", door=door, at=timezone.now, uses_cache=False)
    finally:
        await door.close()


@transaction.atomic
def _note_check(endpoint: ModelEndpoint, by: Person, at: datetime) -> None:
    record(MODEL_CHECKED, by=by, at=at, campaign=endpoint.campaign.slug, about=endpoint.key)


def _held(endpoint: ModelEndpoint) -> ModelEndpoint:
    """The endpoint as it is now, held until the commit. Errors: `CannotDeclare`."""
    held = ModelEndpoint.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=endpoint.pk)
    if held.withdrawn_at is not None:
        raise CannotDeclare(gettext_noop("The model “%(key)s” was withdrawn."), key=held.key)
    return held
