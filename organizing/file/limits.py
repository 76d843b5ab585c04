"""How large a file may be that a page shows first: it comes back in the form that confirms, as base64 with escapes."""

from django.conf import settings


def limit_bytes() -> int:
    return int(settings.UPLOAD_LIMIT_BYTES) // 2


def limit_mb() -> str:
    return f"{limit_bytes() / 1024 / 1024:g}"
