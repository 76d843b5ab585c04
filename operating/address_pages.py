"""The page of allowed addresses, for staff."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import for_staff, person_of
from accounts.form_routes import form_on
from participants.actions import allow_address, take_address_back
from participants.models import AllowedAddress
from serving.refused import Refused


@for_staff
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def addresses(request: HttpRequest) -> HttpResponse:
    """POST allows one."""
    if request.method != "POST":
        return _page(request)
    typed = {"place": request.POST.get("place", ""), "port": request.POST.get("port", "").strip()}
    port = typed["port"] or "0"
    if not (port.isascii() and port.isdigit() and len(port) <= 5):
        return _page(request, typed=typed, wrong=_("A port is a number."), status=422)
    try:
        allow_address(place=typed["place"], port=int(port), by=person_of(request), at=timezone.now())
    except Refused as refused:
        return _page(request, typed=typed, wrong=str(refused), status=409)
    messages.success(request, _("Allowed. All processes know within a few seconds."))
    return redirect("addresses")


def _page(request: HttpRequest, *, status: int = 200, **said: Any) -> HttpResponse:
    shown = {
        "addresses": AllowedAddress.objects.order_by("place", "port"),
        "within": settings.OUTBOUND_MAY_ALLOW,
        "by_environment": sorted(f"{host}:{port}" for host, port in settings.OUTBOUND_ALLOW),
    }
    return render(request, "operating/addresses.html", shown | said, status=status)


@for_staff
@form_on("addresses")
def remove(request: HttpRequest, address_id: int) -> HttpResponse:
    allowed = get_object_or_404(AllowedAddress, pk=address_id)
    take_address_back(allowed=allowed, by=person_of(request), at=timezone.now())
    messages.success(request, _("Taken back. All processes know within a few seconds."))
    return redirect("addresses")
