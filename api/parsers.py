"""How the REST API reads bodies and writes answers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from reading.checking import BadForm, Problems
from reading.findings import BODY
from reading.kinds import OBJECT, Wrong
from reading.storable import unstorable_in
from reading.strict_json import NotJson, loads
from reading.tables import Table


class StrictJSONParser(BaseParser):
    """DRF's own parser answers deeply nested JSON with 500; this one says what is wrong."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        try:
            parsed: dict[str, Any] = OBJECT.value_of(loads(stream.read()))
        except NotJson as bad:
            raise ParseError(str(replace(bad.finding, place=bad.finding.place or BODY))) from bad
        except Wrong as wrong:
            raise ParseError(str(wrong.at(BODY))) from wrong
        refuse_unstorable(parsed)
        return parsed


class StrictMultiPartParser(MultiPartParser):
    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> "DataAndFiles[Any, Any]":
        parsed = super().parse(stream, media_type, parser_context)
        refuse_unstorable(dict(parsed.data.lists()))
        return parsed


def refuse_unstorable(parsed: dict[str, Any]) -> None:
    if bad := unstorable_in(parsed):
        raise ParseError(str(bad))


def fields_of(request: Request) -> Mapping[str, Any]:
    """The fields of a form or of a JSON object, which is all that the parsers let through."""
    assert isinstance(request.data, Mapping)
    return request.data


class WholeJSONRenderer(JSONRenderer):
    """An answer that is null says `null`; the framework would send nothing, which is no JSON."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        if data is None and response is not None and response.status_code == 200:
            return b"null"
        return bytes(super().render(data, accepted_media_type, renderer_context))


def body_in(request: Request, table: Table) -> Any:
    """The body as the table reads it. Errors: `BadForm` naming every wrong field."""
    return _read(fields_of(request), table)


def address_in(request: Request, table: Table) -> Any:
    """The same of the parameters of the address."""
    return _read(request.query_params.dict(), table)


def _read(said: Mapping[str, Any], table: Table) -> Any:
    problems = Problems()
    read = table.read(dict(said), "", "", problems)
    problems.refuse(BadForm)
    return read
