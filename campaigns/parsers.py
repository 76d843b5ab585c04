"""JSON of the REST API: bad or deep JSON is a 400 with a sentence, never a 500."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.response import Response
from rest_framework.views import exception_handler

from participants.strict_json import loads


class StrictJSONParser(BaseParser):
    """DRF's own parser answers deeply nested JSON with 500; this one says what is wrong."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        try:
            parsed = loads(stream.read())
        except ValueError as bad:
            raise ParseError(f"The body is not JSON: {bad}.") from bad
        if not isinstance(parsed, dict):
            raise ParseError("The body must be a JSON object.")
        return parsed


def plain_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every API error is `{"error": {"code", "message"}}`; field errors keep their places in `fields`."""
    response = exception_handler(error, context)
    if response is None:
        return None
    detail = response.data
    if isinstance(detail, dict) and set(detail) == {"detail"}:
        body = {"code": getattr(detail["detail"], "code", "error"), "message": str(detail["detail"])}
    else:
        body = {"code": "invalid", "message": "Some fields are wrong.", "fields": detail}
    response.data = {"error": body}
    return response
