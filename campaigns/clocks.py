"""Requests about one campaign read and write times on its clocks; all others on those of the site."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaigns.models import Campaign


def keep_clocks_of(campaign: Campaign) -> None:
    """From here to the end of the request; called where a view has found which campaign it is about."""
    timezone.activate(ZoneInfo(campaign.time_zone))


class ClocksMiddleware:
    """Each request begins on the site's clocks: its thread may have answered one about a campaign before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self.get_response(request)
