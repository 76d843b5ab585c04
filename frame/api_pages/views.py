"""The description of the REST API and of all socket frames, as documents and as a page."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, open_to_all
from api.describing import describes
from frame.api_pages.reading import groups_of, shapes_of
from frame.api_pages.socket_schemas import frame_schemas

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


class ApiSchema(APIView):
    """GET gives the description. It names no data, so everybody may read it."""

    access = OPEN
    permission_classes = (AllowAny,)
    # JSON where nothing is asked for; each form by the name that OpenAPI gave it, too.
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer)

    @describes("Gives this description, as OpenAPI 3.1, in JSON or YAML", dict[str, Any])
    def get(self, request: Request) -> Response:
        return Response(api_schema())


class FrameSchemas(APIView):
    """GET gives what both sides of the sockets may send."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Gives the frames of the sockets, as JSON Schema", dict[str, Any])
    def get(self, request: Request) -> Response:
        return Response(frame_schemas())


@open_to_all
@require_GET
def api_page(request: HttpRequest) -> HttpResponse:
    schema = api_schema()
    return render(request, "frame/api/page.html", {"groups": groups_of(schema), "shapes": shapes_of(schema)})
