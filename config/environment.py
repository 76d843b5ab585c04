"""Reads the environment strictly: a misspelt or malformed setting stops the start, it is never ignored."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

Network = IPv4Network | IPv6Network
# As long as one that nobody guesses.
SHORTEST_TOKEN = 16

KNOWN = frozenset(
    {
        "HUACE_HOME",
        "HUACE_SECRET_KEY",
        "HUACE_OLD_SECRET_KEYS",
        "HUACE_HOSTS",
        "HUACE_OUTBOUND_ALLOW",
        "HUACE_OUTBOUND_MAY_ALLOW",
        "HUACE_FRAME_RATE",
        "HUACE_SOCKETS_PER_PERSON",
        "HUACE_SOCKETS_PER_ADDRESS",
        "HUACE_UPLOAD_MB",
        "HUACE_PACKAGE_MB",
        "HUACE_DEBUG",
        "HUACE_DEMO",
        "HUACE_PROXIES",
        "HUACE_SITE_URL",
        "HUACE_MAIL_URL",
        "HUACE_STORAGE_URL",
        "HUACE_MAIL_FROM",
        "HUACE_SESSION_IDLE_H",
        "HUACE_API_RATE",
        "HUACE_TOKEN_DAYS",
        "HUACE_REQUIRE_SECOND_FACTOR",
        "HUACE_SESSION_DAYS",
        "HUACE_SESSIONS_PER_PERSON",
        "HUACE_LOG_FORMAT",
        "HUACE_METRICS_TOKEN",
        "HUACE_METRICS_FROM",
    }
)


def refuse_unknown_names(environment: Mapping[str, str] = os.environ) -> None:
    unknown = sorted(name for name in environment if name.startswith("HUACE_") and name not in KNOWN)
    if unknown:
        raise ImproperlyConfigured(f"Unknown setting {', '.join(unknown)}. Huace knows: {', '.join(sorted(KNOWN))}.")


def read_flag(name: str, environment: Mapping[str, str] = os.environ) -> bool:
    value = environment.get(name, "0").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def read_list(name: str, default: str = "", environment: Mapping[str, str] = os.environ) -> list[str]:
    return [part.strip() for part in environment.get(name, default).split(",") if part.strip()]


def read_frame_rate(environment: Mapping[str, str] = os.environ) -> float:
    """Frames per second that one socket may send; 0 switches the limit off (benchmarks)."""
    value = environment.get("HUACE_FRAME_RATE", "20")
    try:
        rate = float(value)
    except ValueError:
        rate = -1
    if not 0 <= rate < float("inf"):
        raise ImproperlyConfigured(f"HUACE_FRAME_RATE must be a number of frames per second, not {value!r}.")
    return rate


def read_upload_limit(environment: Mapping[str, str] = os.environ) -> int:
    """The most bytes of one uploaded file; the setting is in MiB."""
    return _mebibytes("HUACE_UPLOAD_MB", "2", environment)


def read_package_limit(environment: Mapping[str, str] = os.environ) -> int:
    """The most bytes of one data package for teams; the setting is in MiB."""
    return _mebibytes("HUACE_PACKAGE_MB", "64", environment)


def _mebibytes(name: str, default: str, environment: Mapping[str, str]) -> int:
    value = environment.get(name, default)
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 1024):
        raise ImproperlyConfigured(f"{name} must be a whole number of MiB from 1 to 1024, not {value!r}.")
    return int(value) * 1024 * 1024


def read_allowed_addresses(environment: Mapping[str, str] = os.environ) -> frozenset[tuple[str, int]]:
    """The host:port entries that the address guard lets through, as pairs."""
    allowed = set()
    for entry in read_list("HUACE_OUTBOUND_ALLOW", environment=environment):
        host, colon, port = entry.rpartition(":")
        if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
            raise ImproperlyConfigured(f"HUACE_OUTBOUND_ALLOW takes host:port entries, not {entry!r}.")
        allowed.add((host.strip("[]").lower(), int(port)))
    return frozenset(allowed)


def refuse_missing_extra(name: str, extra: str, package: str) -> None:
    """A setting that needs libraries which only come with an extra of the wheel."""
    if find_spec(package) is None:
        raise ImproperlyConfigured(f"{name} needs libraries that are not installed: pip install 'huace[{extra}]'.")


def read_number(name: str, default: int, low: int, high: int, environment: Mapping[str, str] = os.environ) -> int:
    """A whole number from `low` to `high`."""
    value = environment.get(name, str(default))
    if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
        raise ImproperlyConfigured(f"{name} must be a whole number from {low} to {high}, not {value!r}.")
    return int(value)


def read_token(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """A secret that a program shows; empty where it is not configured."""
    token = environment.get(name, "").strip()
    if token and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token):
        raise ImproperlyConfigured(
            f"{name} must have {SHORTEST_TOKEN} characters or more, printable ASCII without spaces."
        )
    return token


def read_networks(name: str, environment: Mapping[str, str] = os.environ, default: str = "") -> tuple[Network, ...]:
    """Addresses and networks, such as 10.0.0.7 and 10.1.0.0/16."""
    try:
        return tuple(ip_network(entry) for entry in read_list(name, default, environment))
    except ValueError as bad:
        raise ImproperlyConfigured(f"{name} takes addresses and networks (10.0.0.7, 10.1.0.0/16): {bad}.") from bad


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over, and whom it comes from. `encryption` is `starttls`, `tls` or empty."""

    host: str
    port: int
    user: str
    password: str
    encryption: str
    sender: str


MAIL_SCHEMES = {"smtp": ("", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465)}
ADDRESS = re.compile(r"[^@\s<>\"]+@[^@\s<>\"]+")


def read_mail_server(environment: Mapping[str, str] = os.environ) -> MailServer | None:
    """None where no mail server is configured. Mails need the address of the site: links in them never follow a request."""
    url, sender = environment.get("HUACE_MAIL_URL", ""), environment.get("HUACE_MAIL_FROM", "")
    if not url and not sender:
        return None
    if not (url and ADDRESS.fullmatch(sender) and environment.get("HUACE_SITE_URL")):
        raise ImproperlyConfigured(
            "HUACE_MAIL_URL needs HUACE_MAIL_FROM, an address, and HUACE_SITE_URL; all three or none."
        )
    parts, port = _split(url)
    # The URL holds a password: what is wrong is said without it.
    if (
        parts.scheme not in MAIL_SCHEMES
        or not parts.hostname
        or parts.path not in {"", "/"}
        or parts.query
        or parts.fragment
    ):
        raise ImproperlyConfigured(
            f"HUACE_MAIL_URL must be [{'|'.join(MAIL_SCHEMES)}]://user:password@host:port, without a path."
        )
    if bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured("HUACE_MAIL_URL must name both a user and a password, or neither.")
    encryption, usual_port = MAIL_SCHEMES[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or usual_port, user, password, encryption, sender)


STORAGE_SCHEMES = {"s3": "https", "s3+http": "http"}


def read_storage(environment: Mapping[str, str] = os.environ) -> dict[str, str] | None:
    """The options of S3-compatible storage; None where files stand on the disk."""
    url = environment.get("HUACE_STORAGE_URL", "").strip()
    if not url:
        return None
    parts, port = _split(url)
    bucket, _, folder = parts.path.strip("/").partition("/")
    region = re.fullmatch(r"(?:region=([a-z0-9-]+))?", parts.query)
    # The URL holds a secret: what is wrong is said without it.
    is_whole = parts.scheme in STORAGE_SCHEMES and parts.hostname and parts.username and parts.password and bucket
    if not is_whole or region is None or parts.fragment:
        raise ImproperlyConfigured(
            f"HUACE_STORAGE_URL must be [{'|'.join(STORAGE_SCHEMES)}]://key:secret@host:port/bucket/folder?region=name,"
            " percent-encoded; port, folder and region may be left out."
        )
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return {
        "endpoint_url": f"{STORAGE_SCHEMES[parts.scheme]}://{host}{f':{port}' if port else ''}",
        "access_key": unquote(parts.username or ""),
        "secret_key": unquote(parts.password or ""),
        "bucket_name": bucket,
        "location": folder,
        "region_name": region[1] or "us-east-1",
    }


def read_site_url(environment: Mapping[str, str] = os.environ) -> str:
    """Scheme, host and port under which people reach the site; empty where it is not configured."""
    url = environment.get("HUACE_SITE_URL", "").strip()
    if not url:
        return ""
    parts, _port = _split(url)
    is_origin = parts.scheme in {"http", "https"} and parts.hostname and parts.path in {"", "/"}
    if not is_origin or parts.query or parts.fragment or parts.username is not None:
        raise ImproperlyConfigured(f"HUACE_SITE_URL must be like https://huace.example.org, not {url!r}.")
    return f"{parts.scheme}://{_as_browsers_name(parts)}"


def _as_browsers_name(parts: SplitResult) -> str:
    """Host and port as a browser sends them: lower case, punycode, and without the port that the scheme has anyway."""
    name = parts.hostname or ""
    try:
        name = f"[{name}]" if ":" in name else name.encode("idna").decode("ascii")
    except UnicodeError as bad:
        raise ImproperlyConfigured(f"HUACE_SITE_URL names no host: {bad}.") from bad
    return name if parts.port in {None, {"http": 80, "https": 443}[parts.scheme]} else f"{name}:{parts.port}"


def host_of(site_url: str) -> str:
    """The host of a site's address, as requests name it; empty without an address."""
    name = _split(site_url)[0].hostname or ""
    return f"[{name}]" if ":" in name else name


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url)
        return parts, parts.port
    except ValueError:
        return SplitResult("", "", "", "", ""), None


def read_choice(name: str, choices: tuple[str, ...], environment: Mapping[str, str] = os.environ) -> str:
    """One of the words; the first is the default."""
    value = environment.get(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value
