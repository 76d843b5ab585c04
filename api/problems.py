"""Errors of the REST API: problem details (RFC 9457), in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from rest_framework.exceptions import NotFound, Throttled
from rest_framework.exceptions import PermissionDenied as NotAllowed
from rest_framework.response import Response
from rest_framework.views import exception_handler

from reading.checking import BadFile, BadForm
from serving.refused import NotYet, Refused

PROBLEM_TYPE = "application/problem+json"
# What gives a sentence in the language that is active.
Say = Callable[[], Any]
# What the statuses mean, in a few words; `detail` says what was wrong this time.
TITLES: Mapping[int, Promise] = {
    400: gettext_lazy("The request is not valid"),
    401: gettext_lazy("You are not logged in"),
    403: gettext_lazy("This is not allowed"),
    404: gettext_lazy("Not found"),
    405: gettext_lazy("This address does not know the method"),
    406: gettext_lazy("This is not answered in the form that was asked for"),
    409: gettext_lazy("This does not fit the state of things"),
    410: gettext_lazy("This opens nothing any more"),
    413: gettext_lazy("This is too large"),
    415: gettext_lazy("This kind of content is not read here"),
    422: gettext_lazy("Something of what was sent is wrong"),
    429: gettext_lazy("Too many requests"),
    500: gettext_lazy("Something broke on our side"),
    503: gettext_lazy("Temporarily unavailable"),
}


def problem(status: int, code: str, say: Say, **members: Any) -> dict[str, Any]:
    """`type` names the kind of problem for programs, as `code` does shorter; `members` are of that kind alone.

    `detail` is in the reader's language; `detail_zh` and `detail_en` are for a program that hands it on. What was put into words
    before it came here is there in the reader's language alone.
    """
    title = str(TITLES.get(status, "")) or str(status)
    zh, en = _said_in("zh-hans", say), _said_in("en", say)
    return {
        "type": f"urn:huace:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "detail": str(say()),
        **({"detail_zh": zh, "detail_en": en} if zh != en else {}),
        **members,
    }


def _said_in(language: str, say: Say) -> str:
    with override(language):
        return str(say())


def problem_answer(status: int, code: str, say: Say, **members: Any) -> Response:
    """The same as the answer of an API view."""
    return Response(problem(status, code, say, **members), status=status, content_type=PROBLEM_TYPE)


def bare_problem(status: int, code: str, say: Say) -> HttpResponse:
    """The same where no API view answers: an unknown path, or a check before the views."""
    content = problem(status, code, say)
    return JsonResponse(content, status=status, content_type=PROBLEM_TYPE, json_dumps_params={"ensure_ascii": False})


def problem_of(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's handler of exceptions. Wrong fields keep their places in `fields`, each with its sentences.

    What the rules do not allow now is a 409 with the rule's code; where waiting is all that it takes, the answer says how long.
    """
    if isinstance(error, NotYet):
        answer = problem_answer(error.status, error.code, error.__str__)
        answer.headers["Retry-After"] = str(error.after_s)
        return answer
    if isinstance(error, Refused):
        return problem_answer(409, error.code, error.__str__)
    if isinstance(error, BadFile):
        placed = [{"place": found.place, "message": found.message} for found in error.problems]
        return problem_answer(
            422, "bad_file", lambda: _("The file has problems; nothing was changed."), problems=placed
        )
    if isinstance(error, BadForm):
        fields: dict[str, list[str]] = {}
        for wrong in error.problems:
            fields.setdefault(wrong.place, []).append(wrong.message)
        return problem_answer(_status_of_bad_form(context), "invalid", _some_are_wrong, fields=fields)
    response = exception_handler(error, context)
    if response is None:
        return None
    said = response.data
    if isinstance(said, dict) and set(said) == {"detail"}:
        response.data = problem(response.status_code, getattr(said["detail"], "code", "error"), _words_of(error))
    else:
        response.data = problem(response.status_code, "invalid", _some_are_wrong, fields=said)
    response.content_type = PROBLEM_TYPE
    return response


def _some_are_wrong() -> str:
    return _("Some fields are wrong.")


def _words_of(error: Any) -> Say:
    """What the framework says of the error, repeated in each language: the exception keeps the words of the one in which it was raised."""
    if isinstance(error, Throttled):
        wait: float | None = getattr(error, "wait", None)
        return lambda: Throttled(wait).detail
    kinds = {Http404: NotFound, PermissionDenied: NotAllowed}
    kind = next((ours for theirs, ours in kinds.items() if isinstance(error, theirs)), type(error))
    return lambda: kind(*error.args).detail


def _status_of_bad_form(context: Mapping[str, Any]) -> int:
    """As the operation describes it: 400 if it names its refusals and 422 is not among them."""
    view, request = context.get("view"), context.get("request")
    method = getattr(view, request.method.lower(), None) if request else None
    described = getattr(method, "description", None)
    return 422 if described is None or 422 in described.refuses else 400
