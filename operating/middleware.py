"""What proxies and watchers ask: does the process live, can the site serve, and what was counted."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from operating.health import looked_lately


class HealthMiddleware:
    """Answers `/healthz`, `/readyz` and `/metrics` before anything else is asked.

    Proxies and watchers name the server's own address as host, which is none of the site's, and come without a session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer_to = ANSWERS.get(request.path_info)
        if answer_to is None:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return answer_to(request)


def lives(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    """503 with the reason where nobody could talk or score; what the site goes on without is named with 200."""
    is_ready, wrong = looked_lately()
    return JsonResponse({"ready": is_ready, "wrong": wrong}, status=200 if is_ready else 503)


def counted(request: HttpRequest) -> HttpResponse:
    # Only now: it brings what boards are computed with, which would make each start longer.
    from operating.metrics import metrics

    return metrics(request)


ANSWERS = {"/healthz": lives, "/readyz": ready, "/metrics": counted}
