"""The full addresses of one-time links, and their pictures for telephones."""

import segno
from django.conf import settings
from django.http import HttpRequest

from serving.own_host import noted_address


def address_of(path: str, request: HttpRequest | None = None) -> str:
    """The path on the configured site; where none is configured, on the host that the request came to.

    Mails pass no request: a forged host never gets into them.
    """
    if settings.SITE_URL or request is None:
        return f"{settings.SITE_URL}{path}"
    return request.build_absolute_uri(path)


def site_address(path: str, site: str = "") -> str:
    """The same for a command, which has no request: on the named site, the configured one, or where the server of this machine listens."""
    return (site or settings.SITE_URL or noted_address()).rstrip("/") + path


def qr_image(address: str) -> str:
    """The address as a QR code: a `data:` URL for an `<img>`, dark on light in every theme."""
    return segno.make_qr(address, error="m").svg_data_uri(scale=4, border=4, dark="black", light="white")
