"""Static files from memory, in front of Django: a page asks for up to forty at once, on its way to the first paint."""

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import parse_http_date
from servestatic.middleware import ServeStaticMiddleware
from servestatic.responders import StaticFile

from look.bundles import BUNDLES, joined


class CompressedPagesMiddleware(GZipMiddleware):
    """Compresses pages, and nothing that is streamed: a download's pieces go out as they are read.

    Django adds random bytes, so the length of a page tells nothing about the token in its forms.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


# A font is compressed already: to do it again gains nothing.
LONGEST_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A static file in memory; `compressed` is empty where that would be hardly shorter."""

    content: bytes
    compressed: bytes
    headers: dict[str, str]

    def response_to(self, request: HttpRequest) -> HttpResponse:
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


def _compressed(content: bytes) -> bytes:
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < LONGEST_SHARE * len(content) else b""


def kept_files() -> dict[str, KeptFile]:
    """Every static file and every bundle by its path; none where files are read on every request (`SERVESTATIC_AUTOREFRESH`)."""
    if settings.SERVESTATIC_AUTOREFRESH:
        return {}
    found = ServeStaticMiddleware(_never_asked)
    files = {url: kept(file) for url, file in found.files.items() if isinstance(file, StaticFile)}
    return files | {
        found.static_prefix + bundle: kept_together([files[found.static_prefix + one] for one in names])
        for bundle, names in BUNDLES.items()
    }


async def _never_asked(request: HttpRequest) -> HttpResponse:
    """What both classes go around as middleware; here only their own work is wanted."""
    raise AssertionError(request.path)


class StaticFilesFirst:
    """An ASGI application that answers for the static files and leaves the rest to the pages.

    Django would hand each request to threads and look after its database, which takes longer than the answer. The headers of
    security, and the way to HTTPS, are those of the pages.
    """

    def __init__(self, pages: Any) -> None:
        self.pages = pages
        self.files: Mapping[str, KeptFile] = kept_files()
        self.security = SecurityMiddleware(_never_asked)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = self._answer(scope)
        if answer is None:
            await self.pages(scope, receive, send)
            return
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.items()]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": answer.content})

    def _answer(self, scope: dict[str, Any]) -> HttpResponse | None:
        file = self.files.get(scope["path"])
        if file is None or scope["method"] not in ("GET", "HEAD"):
            return None
        request = ASGIRequest(scope, BytesIO())
        try:
            answer = self.security.process_request(request) or file.response_to(request)
        except SuspiciousOperation:
            return None
        self.security.process_response(request, answer)
        return answer
