"""`[[models]]` of a campaign file: compared with what is stored, and written out again."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.actions.entering import origin_of
from campaigns.actions.load_report import LoadReport
from campaigns.campaign_file.file_parts import FilePart
from campaigns.campaign_file.model_specs import ModelSpec
from campaigns.models import Campaign
from campaigns.origins import Origin
from language_models.actions.endpoints import OTHER_CURRENCY, columns_of, differing, mixes_currencies
from language_models.models import ModelEndpoint

LEFT_OF_PAGE = gettext_noop("left alone: model %(key)s, declared in the browser")
GONE = gettext_noop("left alone: model %(key)s, no longer in the file; only pruning removes it")
TAKEN_BY_PAGE = gettext_noop(
    "model %(key)s was declared in the browser, and the file says something else of it; "
    "choose another key, change it in the browser, or let the file take it over"
)
ANOTHER_SERVER = gettext_noop(
    "was given for another server and is not sent to %(url)s: "
    'name the secret to send there, or secret = "" if it needs none'
)


def compare_models(
    campaign: Campaign, specs: Sequence[ModelSpec], report: LoadReport, by: Person | None, at: datetime
) -> None:
    stored = {one.key: one for one in campaign.model_endpoints.all()} if campaign.pk else {}
    named = {spec.key for spec in specs}
    for number, spec in enumerate(specs, start=1):
        _compare_one(campaign, spec, stored.get(spec.key), f"[[models]] {number}", report, by, at)
    for key, endpoint in stored.items():
        if key in named or endpoint.withdrawn_at is not None:
            continue
        if endpoint.origin != Origin.FILE:
            report.leave_alone(LEFT_OF_PAGE, key=key)
        elif not report.prunes:
            report.leave_alone(GONE, key=key)
        else:
            report.add_change(gettext_noop("model %(key)s withdrawn"), key=key)
            report.later(partial(_store, endpoint, {"withdrawn_at": at, "secret": ""}))


def _compare_one(
    campaign: Campaign,
    spec: ModelSpec,
    endpoint: ModelEndpoint | None,
    place: str,
    report: LoadReport,
    by: Person | None,
    at: datetime,
) -> None:
    wanted = columns_of(spec)
    if endpoint is None:
        new = ModelEndpoint(campaign=campaign, declared_by=by, declared_at=at, origin=Origin.FILE, **wanted)
        report.later(partial(new.save, force_insert=True))
        report.add_change(gettext_noop("model %(key)s declared"), key=spec.key)
        return
    changed = differing(endpoint, wanted)
    if spec.secret is None and endpoint.has_secret and origin_of(spec.url) != origin_of(endpoint.url):
        report.note(f"{place} secret", ANOTHER_SERVER, url=spec.url)
    if mixes_currencies(endpoint, spec.currency):
        report.note(f"{place} currency", OTHER_CURRENCY, currency=endpoint.currency)
    if endpoint.withdrawn_at is not None:
        report.later(partial(_store, endpoint, wanted | {"withdrawn_at": None, "origin": Origin.FILE}))
        report.add_change(gettext_noop("model %(key)s declared"), key=spec.key)
    elif endpoint.origin == Origin.FILE or report.takes_over:
        if endpoint.origin != Origin.FILE:
            report.later(partial(_store, endpoint, {"origin": Origin.FILE}))
            report.add_change(gettext_noop("model %(key)s: taken over from the browser"), key=spec.key)
        if changed:
            report.later(partial(_store, endpoint, {name: wanted[name] for name in changed}))
            text = gettext_noop("model %(key)s: %(changed)s changed")
            report.add_change(text, key=spec.key, changed=", ".join(changed))
    elif changed:
        report.note(f"{place} key", TAKEN_BY_PAGE, key=spec.key)


def _store(endpoint: ModelEndpoint, columns: dict[str, Any]) -> None:
    for name, value in columns.items():
        setattr(endpoint, name, value)
    endpoint.save(update_fields=list(columns))


def models_document(campaign: Campaign, with_secrets: bool) -> list[dict[str, Any]]:
    return [_document_of(one, with_secrets) for one in campaign.model_endpoints.in_use().order_by("key")]


def _document_of(endpoint: ModelEndpoint, with_secrets: bool) -> dict[str, Any]:
    names = [name for name in ModelSpec.__slots__ if name != "secret"]
    row = {name: _plain(getattr(endpoint, name)) for name in names}
    said = {name: value for name, value in row.items() if value is not None and value != {}}
    has_own = with_secrets and endpoint.has_secret and not endpoint.has_lost_its_secret()
    return said | ({"secret": endpoint.secret} if has_own else {})


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


MODELS_IN_FILES = FilePart("models", compare_models, models_document)
