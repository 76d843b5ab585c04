"""Fields to register a service or to change its address: the URL and the secret. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from participants.limits import SECRET
from reading.checking import BadForm, Problems
from reading.findings import Finding
from reading.kinds import URL_LIMIT, Text
from reading.tables import table_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceForm:
    """`secret` is None where the stored one stays; an empty one is not sent."""

    url: Annotated[str, Text(URL_LIMIT)]
    secret: Annotated[str | None, SECRET] = None


def read_service(said: Mapping[str, Any]) -> ServiceForm:
    """Errors: `BadForm` naming every wrong field."""
    problems = Problems()
    read: ServiceForm | None = problems.read(dict(said), "", table_of(ServiceForm))
    problems.refuse(BadForm)
    assert read is not None
    return read


def said_in(posted: Mapping[str, str]) -> dict[str, Any]:
    """What was typed into the form: an empty secret keeps the stored one unless none is wanted."""
    said: dict[str, Any] = {"url": posted.get("url", "").strip()}
    if posted.get("no_secret"):
        return said | {"secret": ""}
    return said | ({"secret": posted["secret"]} if posted.get("secret") else {})


def wrong_fields(problems: Iterable[Finding]) -> dict[str, str]:
    """What is wrong with each field, in the reader's language."""
    wrong: dict[str, str] = {}
    for problem in problems:
        wrong.setdefault(problem.place, problem.message)
    return wrong
