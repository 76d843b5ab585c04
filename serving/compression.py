"""What browsers load is short: pages are compressed as they are made."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressedPagesMiddleware(GZipMiddleware):
    """Compresses pages, and nothing that is streamed: a download's pieces go out as they are read.

    Django adds random bytes, so the length of a page tells nothing about the token in its forms.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed
