"""Holds an answer of the API to its description, for tests that know how an operation succeeds."""

import json
import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from jsonschema import Draft202012Validator

from frame.api_pages.views import api_schema


def label_of(route: str) -> str:
    """The operation of a route of the resolver, with its method, as the schema names it."""
    method, path = route.split(" ")
    return f"{method} /" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


@cache
def described() -> dict[str, Any]:
    return api_schema()


def check_described(route: str, answer: HttpResponse) -> None:
    """Errors: `AssertionError` for a status, a kind or a shape that the schema does not name for this operation."""
    method, path = label_of(route).split(" ")
    statuses = described()["paths"][path][method.lower()]["responses"]
    assert str(answer.status_code) in statuses, f"{route}: {answer.status_code} is not described"
    kinds = statuses[str(answer.status_code)].get("content", {})
    if not kinds:
        assert not answer.getvalue(), f"{route}: nothing is described, and something is answered"
        return
    kind = answer.headers["Content-Type"].partition(";")[0]
    assert kind in kinds, f"{route}: {kind} is not described"
    if kind == "application/json":
        shape = {**kinds[kind]["schema"], "components": described()["components"]}
        Draft202012Validator(shape).validate(json.loads(answer.getvalue()))
