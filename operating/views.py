"""What proxies and watchers ask: does the process live, and can the site serve."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.access import open_to_all
from operating.health import looked


@open_to_all
@require_safe
def lives(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@open_to_all
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """503 with the reason where nobody could talk or score; what the site goes on without is named with 200."""
    is_ready, wrong = looked()
    return JsonResponse({"ready": is_ready, "wrong": wrong}, status=200 if is_ready else 503)
