"""The description of the REST API as OpenAPI 3.1: made once per process, of what stands beside each view."""

from functools import cache
from typing import Any

from django.utils import translation
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from rest_framework.views import APIView

SECURITY = {
    "token": {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Token <token>`; tokens are made on the page “API tokens”, at `/api/v1/log-in/` or `/api/v1/account/tokens/`.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "The cookie of a browser; where something changes, with the CSRF token in `X-CSRFToken`.",
    },
}
ABOUT = (
    "Whatever a page can do, a program can do here, by the same rules. Errors are problem details (RFC 9457). Each answer says in "
    "`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` what is left of the limit of requests."
)


class Endpoints(EndpointEnumerator):
    """Every view of the API; the framework would leave out paths that end on a format."""

    def should_include_endpoint(self, path: str, callback: Any) -> bool:
        return issubclass(getattr(callback, "cls", object), APIView)


class Generator(SchemaGenerator):
    endpoint_inspector_cls = Endpoints


@cache
def api_schema() -> dict[str, Any]:
    with translation.override("en"):
        schema: dict[str, Any] = Generator().get_schema(request=None, public=True)
    schema["info"]["description"] = ABOUT
    schema["components"]["securitySchemes"] = SECURITY
    return schema
