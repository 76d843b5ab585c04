"""How the REST API writes its answers."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer


class WholeJSONRenderer(JSONRenderer):
    """An answer that is null says `null`; the framework would send nothing, which is no JSON."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        if data is None and response is not None and response.status_code == 200:
            return b"null"
        return bytes(super().render(data, accepted_media_type, renderer_context))
