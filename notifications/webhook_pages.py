"""A campaign's webhooks and their deliveries, for its organizers."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from notifications.actions.webhooks import add_webhook, remove_webhook, send_again, send_test
from notifications.models import OF_CAMPAIGNS, Delivery, DeliveryQuerySet, Webhook
from reading.checking import BadForm
from serving.refused import Refused

PER_PAGE = 50


@for_roles(Role.ORGANIZER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST adds one; the answer shows its key, once."""
    if request.method != "POST":
        return _page(request, campaign)
    typed: dict[str, Any] = {"url": request.POST.get("url", ""), "kinds": request.POST.getlist("kind")}
    try:
        _added, key = add_webhook(campaign=campaign, **typed, by=person_of(request), at=timezone.now())
    except BadForm as bad:
        return _page(request, campaign, typed=typed, wrong=bad.problems[0].message, status=422)
    except Refused as refused:
        return _page(request, campaign, typed=typed, wrong=str(refused), status=409)
    return _page(request, campaign, key=key, shown_once=True)


def _page(request: HttpRequest, campaign: Campaign, *, status: int = 200, **said: Any) -> HttpResponse:
    typed = said.get("typed") or {"url": "", "kinds": [str(kind) for kind in OF_CAMPAIGNS]}
    shown = {
        "campaign": campaign,
        "webhooks": campaign.webhooks.in_use(),
        "kinds": [(kind.value, kind.label, kind in typed["kinds"]) for kind in OF_CAMPAIGNS],
        "typed": typed,
        "listed": Paginator(deliveries_of(campaign), PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "notifications/webhooks.html", shown | said, status=status)


def deliveries_of(campaign: Campaign) -> DeliveryQuerySet:
    """To its webhooks, the latest first."""
    return Delivery.objects.filter(webhook__campaign=campaign).select_related("event", "webhook").latest_first()


def webhook_in(campaign: Campaign, webhook_id: int) -> Webhook:
    return get_object_or_404(campaign.webhooks.in_use(), pk=webhook_id)


@for_roles(Role.ORGANIZER)
@form_on("webhooks")
@tells_refusal
def remove(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    remove_webhook(webhook=webhook_in(campaign, webhook_id), by=person_of(request), at=timezone.now())
    messages.success(request, _("The webhook is removed."))
    return redirect("webhooks", campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("webhooks")
@tells_refusal
def test(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    send_test(webhook=webhook_in(campaign, webhook_id), by=person_of(request), at=timezone.now())
    messages.success(request, _("A test message is on its way: its row below says what became of it."))
    return redirect("webhooks", campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("webhooks")
@tells_refusal
def again(request: HttpRequest, campaign: Campaign, delivery_id: UUID) -> HttpResponse:
    delivery = get_object_or_404(deliveries_of(campaign), pk=delivery_id)
    send_again(delivery=delivery, by=person_of(request), at=timezone.now())
    messages.success(request, _("The message is sent again."))
    return redirect("webhooks", campaign.slug)
