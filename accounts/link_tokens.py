"""The tokens of one-time links. Pure."""

import hashlib
import secrets
from enum import StrEnum


class Unusable(StrEnum):
    """Why a link opens nothing (any more)."""

    UNKNOWN = "unknown"
    USED = "used"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class LinkUnusable(Exception):
    """`why` is all that is told: neither whose link it was nor what it was for."""

    def __init__(self, why: Unusable) -> None:
        super().__init__(why)
        self.why = why


def new_token() -> str:
    """256 random bits for the path of a URL."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """The stored form of the token. 256 random bits cannot be guessed, so the hash needs neither salt nor slowness."""
    return hashlib.sha256(token.encode()).hexdigest()
