"""The description of the API: for programs, and as a page that people read and search."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, open_to_all
from api.describing import describes
from frame.api_pages.frames import frame_schemas
from frame.api_pages.reading import groups_of, shapes_of
from frame.api_pages.schema import api_schema


class ApiSchema(APIView):
    """GET gives the description. It names no data, so everybody may read it."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Gives this description, as OpenAPI 3.1", dict[str, Any])
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
