"""What proxies and watchers ask: does the process live, and can the site serve."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from operating.health import looked_lately


class HealthMiddleware:
    """Answers `/healthz` and `/readyz` before anything else is asked.

    Proxies name the server's own address as host, which is none of the site's, and come without a session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer_to = {"/healthz": lives, "/readyz": ready}.get(request.path_info)
        if answer_to is None:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return answer_to()


def lives() -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def ready() -> HttpResponse:
    """503 with the reason where nobody could talk or score; what the site goes on without is named with 200."""
    is_ready, wrong = looked_lately()
    return JsonResponse({"ready": is_ready, "wrong": wrong}, status=200 if is_ready else 503)
