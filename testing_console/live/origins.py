"""Whether a browser's socket was opened by a page of ours."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host


def is_own_origin(headers: dict[bytes, bytes]) -> bool:
    """True if the page that opened the socket came from the host and port it connects to, and that host is ours."""
    origin = urlsplit(headers.get(b"origin", b"").decode("latin-1"))
    host = headers.get(b"host", b"").decode("latin-1")
    if origin.scheme not in {"http", "https"} or not origin.netloc or origin.netloc != host:
        return False
    name = origin.hostname or ""
    return validate_host(f"[{name}]" if ":" in name else name, settings.ALLOWED_HOSTS)
