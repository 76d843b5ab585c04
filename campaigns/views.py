"""The front page: what Huace is, or one's campaigns."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import open_to_all
from campaigns.models import Campaign, Role


@open_to_all
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Newcomers learn what Huace is; people with an account see their campaigns and what they do there."""
    if not request.user.is_authenticated:
        return render(request, "campaigns/welcome.html", {"published": Campaign.objects.filter(is_published=True)})
    places: dict[Campaign, list[str]] = {}
    roles = request.user.campaign_roles.select_related("campaign").order_by("-campaign__created_at", "role")
    for place in roles:
        places.setdefault(place.campaign, []).append(place.role)
    return render(request, "campaigns/home.html", {"places": places, "Role": Role})
