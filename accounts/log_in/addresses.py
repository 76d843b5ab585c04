"""From which address a request came."""

from collections.abc import Mapping
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The address of whoever asks; empty where the connection has none (a Unix socket)."""
    return address_behind(request.META, settings.TRUSTED_PROXIES)


def address_behind(meta: Mapping[str, str], n_proxies: int) -> str:
    """The address that the outermost of our `n_proxies` proxies saw.

    Each proxy adds the address it saw at the right end of X-Forwarded-For; what is further left was said by the
    client, who can say anything. A header that is too short did not pass all proxies, and is not believed.
    """
    said = [part.strip() for part in meta.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if n_proxies and len(said) >= n_proxies and (forwarded := valid_address(said[-n_proxies])):
        return forwarded
    return valid_address(meta.get("REMOTE_ADDR", ""))


def valid_address(text: str) -> str:
    """The address in its one canonical form, an IPv4 address also if it comes as IPv6; empty for anything else."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    return str(getattr(address, "ipv4_mapped", None) or address)


def network_of(address: str) -> str:
    """What one subscriber holds: an IPv4 address, or the first 64 bits of an IPv6 address."""
    if ":" not in address:
        return address
    return ":".join(ip_address(address).exploded.split(":")[:4])
