"""What an operation of the REST API reads and answers, declared beside the method; the schema and its page are made of it.

@describes("Lists the runs of a task", list[RunAnswer], asks={"page": Whole(1)})
def get(self, request, slug): …
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

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
        method.description = description  # type: ignore[attr-defined]
        return method

    return mark
