"""`manage.py check --deploy`: what an installation lacks before people are let in, each with the setting that mends it.

Django's own checks name settings that Huace derives from its environment; those that these replace are silenced in the settings.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connection

Wanting = Iterator[tuple[str, str]]


def site() -> Wanting:
    """W001 to W003: how people reach it."""
    if not settings.SITE_URL:
        yield (
            "huace.W001",
            (
                "The site does not know its address: links, mails and cookies go by what each request says."
                " Set HUACE_SITE_URL=https://… to what people type."
            ),
        )
    elif settings.SITE_URL.startswith("http:"):
        yield (
            "huace.W002",
            (
                "Passwords and cookies travel unencrypted. Put a proxy with TLS in front (deploy/Caddyfile), and set"
                f" HUACE_SITE_URL={settings.SITE_URL.replace('http:', 'https:', 1)}."
            ),
        )
    elif not settings.TRUSTED_PROXIES:
        yield (
            "huace.W003",
            (
                "HUACE_SITE_URL is https, so a proxy stands in front, but none is trusted: every client would have the"
                " proxy's address. Set HUACE_PROXIES=1."
            ),
        )


def people() -> Wanting:
    """W004 and W005: who gets in."""
    if settings.IS_DEMO:
        yield "huace.W004", "Anyone may sign in as anyone of the demo. Take HUACE_DEMO out."
    if settings.SECOND_FACTOR_OF == "nobody":
        yield (
            "huace.W005",
            (
                "A password alone opens organizers' pages. Set HUACE_REQUIRE_SECOND_FACTOR=organizers: each is led to set"
                " one up."
            ),
        )


def limits() -> Wanting:
    """W006: limits that were switched off."""
    switched_off = [
        name
        for name, value in (
            ("HUACE_FRAME_RATE", settings.FRAME_RATE),
            ("HUACE_SOCKETS_PER_PERSON", settings.SOCKETS_PER_PERSON),
            ("HUACE_SOCKETS_PER_ADDRESS", settings.SOCKETS_PER_ADDRESS),
            ("HUACE_API_RATE", settings.API_RATE),
        )
        if not value
    ]
    if switched_off:
        yield (
            "huace.W006",
            f"One client can use all of the server. Take out {', '.join(switched_off)}: 0 means no limit.",
        )


def several_servers() -> Wanting:
    """W007 and W008: what PostgreSQL is there for."""
    if connection.vendor != "sqlite" and not settings.REDIS_URL:
        yield (
            "huace.W007",
            ("Without Redis, this database serves one process on one machine. Set REDIS_URL=redis://host:6379/0."),
        )
    if connection.vendor != "sqlite" and settings.HAS_OWN_SECRET_KEY:
        yield (
            "huace.W008",
            (
                "The secret key was made on this machine, and others would make their own. Set HUACE_SECRET_KEY to the"
                f" content of {settings.VAR_DIR / 'secret_key'} on all of them."
            ),
        )


CHECKS: tuple[Callable[[], Wanting], ...] = (site, people, limits, several_servers)


@register(Tags.security, deploy=True)
def check_installation(**_: Any) -> list[CheckMessage]:
    return [Warning(said, id=name) for look in CHECKS for name, said in look()]
