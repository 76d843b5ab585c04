"""JSON of the REST API: bad or deep JSON is a 400 with a sentence, never a 500."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.response import Response
from rest_framework.views import exception_handler


class BoundedJSONParser(JSONParser):
    """DRF's parser answers deeply nested JSON with 500; this one says what is wrong."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            parsed = super().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError("The JSON is nested too deeply.") from deep
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
