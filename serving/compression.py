"""What browsers load is short: pages are compressed as they are made, static files once, when the server starts."""

import gzip
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_http_date
from servestatic.middleware import ServeStaticMiddleware
from servestatic.responders import StaticFile

from look.bundles import BUNDLES, joined

# A font is compressed already: to do it again gains nothing.
LONGEST_SHARE = 0.9


class CompressedPagesMiddleware(GZipMiddleware):
    """Compresses pages, and nothing that is streamed: a download's pieces go out as they are read.

    Django adds random bytes, so the length of a page tells nothing about the token in its forms.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A static file in memory; `compressed` is empty where that would be hardly shorter."""

    content: bytes
    compressed: bytes
    headers: dict[str, str]

    def response_to(self, request: HttpRequest) -> HttpResponseBase:
        is_compressed = bool(self.compressed) and "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(self.compressed if is_compressed else self.content, headers=self.headers)
        if is_compressed:
            response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(response.content))
        if request.method == "HEAD":
            response.content = b""
        patch_vary_headers(response, ["Accept-Encoding"])
        modified_at = parse_http_date(self.headers["Last-Modified"])
        etag = self.headers["ETag"]
        return get_conditional_response(request, etag=etag, last_modified=modified_at, response=response) or response


def kept(file: StaticFile) -> KeptFile:
    _, path, headers = file.alternatives[-1]
    return _kept(Path(path).read_bytes(), {name: value for name, value in headers if value})


def kept_together(parts: Sequence[KeptFile]) -> KeptFile:
    """A bundle of style sheets, with the headers of the part that changed last and a tag of its own."""
    content = joined(part.content for part in parts)
    latest = max(parts, key=lambda part: parse_http_date(part.headers["Last-Modified"]))
    return _kept(content, latest.headers | {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'})


def _kept(content: bytes, headers: dict[str, str]) -> KeptFile:
    return KeptFile(content, _compressed(content), headers)


# Once per process: each handler makes the middleware anew.
@cache
def _compressed(content: bytes) -> bytes:
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < LONGEST_SHARE * len(content) else b""


class StaticFilesMiddleware(ServeStaticMiddleware):
    """Serves static files from memory: a page asks for up to forty, and reading each takes a thread.

    Where files are looked up at every request (`SERVESTATIC_AUTOREFRESH`), none is kept, and the disk serves them.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.kept = {url: kept(file) for url, file in self.files.items() if isinstance(file, StaticFile)}
        for bundle, names in BUNDLES.items() if self.kept else ():
            self.kept[self.static_prefix + bundle] = kept_together(
                [self.kept[self.static_prefix + one] for one in names]
            )

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        found = self.kept.get(request.path_info) if request.method in ("GET", "HEAD") else None
        return found.response_to(request) if found else await super().__call__(request)
