"""What an operation of the REST API reads and answers, declared beside the method; the schema and its page are made of it.

@describes("Lists the runs of a task", list[RunAnswer], asks=PAGES)
def get(self, request, slug):
    return page_of(request, task.runs.all())

What the method returns is encoded in the declared shape (`api/answers.py`) and sent with the declared status.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, get_origin

from django.http import HttpResponseBase
from rest_framework.response import Response

from api.answers import encoded
from api.paging import Page
from reading.kinds import Kind

Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class FileOf:
    """An answer that is a file, in one of these media types."""

    media_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Description:
    """`answers` by status; None is an empty answer. `reads` is a JSON body, `uploads` the fields of a form beside its `files`,
    which are named with whether they are needed.

    `asks` are the parameters of the address. `refuses` are the statuses of problems beyond those of every operation.
    """

    says: str
    answers: Mapping[int, Any]
    reads: Any = None
    uploads: Mapping[str, Kind] | None = None
    files: Mapping[str, bool] = field(default_factory=lambda: {"file": True})
    asks: Mapping[str, Kind] = field(default_factory=dict)
    refuses: Collection[int] = ()


def describes(says: str, answer: Any, status: int = 200, **more: Any) -> Callable[[Method], Method]:
    """`answer` is a type, a `FileOf`, or None for an empty answer; `also` are answers with other statuses."""
    description = Description(says, {status: answer, **more.pop("also", {})}, **more)

    def mark(method: Method) -> Method:
        @wraps(method)
        def answering(*args: Any, **kwargs: Any) -> HttpResponseBase:
            found = method(*args, **kwargs)
            return found if isinstance(found, HttpResponseBase) else _answer(answer, status, found)

        answering.description = description  # type: ignore[attr-defined]
        return answering  # type: ignore[return-value]

    return mark


def _answer(shape: Any, status: int, found: Any) -> Response:
    if shape is None:
        return Response(status=status)
    if isinstance(found, Page):
        page = found.rows if get_origin(shape) is list else found
        return Response(encoded(shape, page), headers=found.headers)
    return Response(encoded(shape, found), status=status)
