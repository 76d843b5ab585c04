"""Error pages in both languages, raised by a view, by Django, or by a check before them."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_BAD_ORIGIN
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.form_routes import page_with_form, readable_address
from api.problems import bare_problem
from serving.refused import Refused
from serving.stored_files import StorageGone

log = logging.getLogger("huace")


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a status means to a reader: a head, and what they can do."""

    status: int
    title: Promise
    text: Promise


WRONGS = {
    wrong.status: wrong
    for wrong in (
        Wrong(
            400,
            _("This request cannot be read"),
            _("Something in it has a form that is not known here. Go back, reload the page and try again."),
        ),
        Wrong(
            403,
            _("This form is no longer valid"),
            _(
                "The page was open for too long, or the browser sends no cookies. Open the page with the form again and send it."
            ),
        ),
        Wrong(
            404,
            _("There is no such page"),
            _(
                "The link may be incomplete, the page may have been withdrawn, or it is not for your account. Nothing you wrote has been lost."
            ),
        ),
        Wrong(
            405,
            _("This address only takes a form"),
            _("It has no page of its own. Go back to the page with the form; what was handed in before is stored."),
        ),
        Wrong(
            413,
            _("This is too large"),
            _("The file or text is larger than this site accepts, so nothing of it was stored."),
        ),
        Wrong(
            429,
            _("Too many attempts"),
            _("Wait a little, then try again. Nothing was changed by the last attempt."),
        ),
        Wrong(
            500,
            _("Something broke on our side"),
            _(
                "It is not your fault, and it has been logged. What was saved is still saved. Try again, or tell the organizer when it happened."
            ),
        ),
        Wrong(
            503,
            _("Temporarily unavailable"),
            _(
                "The site is starting, stopping or busy. Wait a few seconds and reload the page; what was saved is still saved."
            ),
        ),
    )
}
# What a page of the frame needs the database for is what just failed.
WITHOUT_PERSON = {500, 503}
# As DRF calls them where a view of the API answers.
PROBLEM_CODES = {
    400: "parse_error",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    500: "error",
    503: "unavailable",
}
RETRY_AFTER_S = "5"
BAD_ORIGIN = REASON_BAD_ORIGIN.partition("%s")[0]
HIDDEN_BY_PROXY = _(
    "You opened {came_from}, and the server was asked for {here}: the proxy in front of it does not say that you came by HTTPS. Who runs the site sets HUACE_SITE_URL to the address that people open, or has the proxy send X-Forwarded-Proto and sets HUACE_PROXIES to the number of proxies."
)


@cache
def standing_page(status: int, language: str = "zh-hans", *, can_reload: bool = False) -> str:
    """The page of a status, drawn without a request: for the server itself, and where the database may be gone.

    `can_reload`: its address was read; that of a form may take nothing but the form.
    """
    with translation.override(language):
        shown = {"wrong": WRONGS[status], "LANGUAGE_CODE": language, "can_reload": can_reload}
        return render_to_string("error.html", shown)


def error_page(request: HttpRequest, status: int) -> HttpResponse:
    """The page of a status, for programs its problem details.

    Where the database may be gone a page is drawn without asking who reads.
    """
    if _is_api(request):
        answer: HttpResponse = bare_problem(status, PROBLEM_CODES.get(status, "error"), WRONGS[status].title.__str__)
    elif status in WITHOUT_PERSON:
        language, can_reload = getattr(request, "LANGUAGE_CODE", "zh-hans"), request.method in ("GET", "HEAD")
        answer = HttpResponse(standing_page(status, language, can_reload=can_reload), status=status)
    else:
        answer = render(request, "error.html", {"wrong": WRONGS[status]}, status=status)
    if status == 503:
        answer.headers["Retry-After"] = RETRY_AFTER_S
    return answer


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 400)


def no_permission(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403)


def no_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its CSRF token, or one that comes from another address than the server knows itself by."""
    here, opened = f"http://{request.get_host()}", f"https://{request.get_host()}"
    is_hidden = reason.startswith(BAD_ORIGIN) and request.headers.get("Origin") == opened
    if not is_hidden or _is_api(request):
        return error_page(request, 403)
    text = format_lazy(HIDDEN_BY_PROXY, came_from=opened, here=here)
    wrong = Wrong(403, _("The site does not know its own address"), text)
    return render(request, "error.html", {"wrong": wrong}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return error_page(request, 500)


class ErrorPagesMiddleware:
    """Gives answers that are only a status their page.

    What the rules do not allow now is a 409 with their sentence; a database that does not answer is a 503, not a 500.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if not _is_bare(request, answer):
            return answer
        page = error_page(request, answer.status_code)
        for name in ("Allow", "Retry-After"):
            if name in answer.headers:
                page.headers[name] = answer.headers[name]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused) and _takes_pages(request):
            return render(request, "error.html", {"refused": exception, "back": _way_back(request)}, status=409)
        if isinstance(exception, OperationalError) and (_takes_pages(request) or _is_api(request)):
            log.error("The database did not answer %s %s", request.method, request.path, exc_info=exception)
            return error_page(request, 503)
        if isinstance(exception, StorageGone):
            log.error("The storage did not answer %s %s", request.method, request.path, exc_info=exception)
            return error_page(request, 503)
        return None


def _way_back(request: HttpRequest) -> str:
    """The page with the form: where the person came from, if that is ours, else what shows the form of this address."""
    came_from = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(came_from, {request.get_host()}, request.is_secure()):
        # A form may stand on the answer to another one, whose address only takes that.
        return page_with_form(came_from) or came_from
    return readable_address(request) if request.method == "POST" else ""


def _is_bare(request: HttpRequest, answer: Any) -> bool:
    return answer.status_code in WRONGS and not answer.streaming and not answer.content and _takes_pages(request)


def _takes_pages(request: HttpRequest) -> bool:
    return not _is_api(request) and request.accepts("text/html")


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
