"""An organizer's models: declared, changed, checked, withdrawn; what they took, and their latest calls."""

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from language_models.actions.endpoints import CHECK, change_model, check_model, declare_model, withdraw_model
from language_models.form import ModelForm, blank_form, form_of, read_model, typed_form
from language_models.models import ModelCall, ModelCallQuerySet, ModelEndpoint
from language_models.prompts import money, request_of
from language_models.spending import with_spending
from reading.checking import BadForm
from serving.refused import Refused

PER_PAGE = 50


def endpoint_in(campaign: Campaign, endpoint_id: int) -> ModelEndpoint:
    found: ModelEndpoint = get_object_or_404(campaign.model_endpoints.in_use(), pk=endpoint_id)
    return found


def calls_of(endpoint: ModelEndpoint) -> ModelCallQuerySet:
    """The latest first, without the answers, which a page of them would read for nothing."""
    return ModelCall.objects.filter(endpoint=endpoint).defer("answer").order_by("-at", "-pk")


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def models(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _list(request, campaign, blank_form())
    try:
        declared = declare_model(
            campaign=campaign, spec=read_model(request.POST), by=person_of(request), at=timezone.now()
        )
    except BadForm as bad:
        return _list(request, campaign, typed_form(request.POST, bad), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _list(request, campaign, typed_form(request.POST, None), status=409)
    said = _("The model “%(key)s” is declared. A test call says whether it answers.")
    messages.success(request, said % {"key": declared.key})
    return redirect("model", campaign.slug, declared.pk)


def _list(request: HttpRequest, campaign: Campaign, form: ModelForm, *, status: int = 200) -> HttpResponse:
    rows = with_spending(campaign.model_endpoints.in_use(), timezone.now())
    shown = {"campaign": campaign, "rows": rows, "form": form}
    return render(request, "language_models/models.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def model(request: HttpRequest, campaign: Campaign, endpoint_id: int) -> HttpResponse:
    endpoint = endpoint_in(campaign, endpoint_id)
    if request.method != "POST":
        return _one(request, campaign, endpoint, form_of(endpoint))
    try:
        spec = read_model(request.POST, endpoint.key)
        change_model(endpoint=endpoint, spec=spec, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _one(request, campaign, endpoint, typed_form(request.POST, bad, endpoint), status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _one(request, campaign, endpoint, typed_form(request.POST, None, endpoint), status=409)
    messages.success(request, _("The model is changed."))
    return redirect("model", campaign.slug, endpoint.pk)


def _one(
    request: HttpRequest, campaign: Campaign, endpoint: ModelEndpoint, form: ModelForm, *, status: int = 200
) -> HttpResponse:
    shown: dict[str, Any] = {
        "campaign": campaign,
        "row": with_spending([endpoint], timezone.now())[0],
        "form": form,
        "request_of_check": json.dumps(request_of(CHECK, endpoint), ensure_ascii=False, indent=2),
        "listed": Paginator(calls_of(endpoint), PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "language_models/model.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@form_on("models")
@tells_refusal
def check(request: HttpRequest, campaign: Campaign, endpoint_id: int) -> HttpResponse:
    endpoint = endpoint_in(campaign, endpoint_id)
    answer = check_model(endpoint=endpoint, by=person_of(request), at=timezone.now())
    said = _("The model answered in the form that was asked for: %(answer)s (%(n)s tokens, %(cost)s %(currency)s)")
    values = {
        "answer": answer.text[:200],
        "n": answer.tokens_in + answer.tokens_out,
        "cost": money(answer.cost),
        "currency": endpoint.currency,
    }
    messages.success(request, said % values)
    return redirect("model", campaign.slug, endpoint.pk)


@for_roles(Role.ORGANIZER)
@form_on("models")
@tells_refusal
def withdraw(request: HttpRequest, campaign: Campaign, endpoint_id: int) -> HttpResponse:
    withdraw_model(endpoint=endpoint_in(campaign, endpoint_id), by=person_of(request), at=timezone.now())
    messages.success(request, _("The model is withdrawn."))
    return redirect("models", campaign.slug)
