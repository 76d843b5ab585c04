"""Codes as people type and read them. Pure."""

import hashlib
import hmac
import re
import secrets

N_BACKUP_CODES = 10
# Without those that look alike.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def as_typed(code: str) -> str:
    """The code without the spaces and hyphens that people put in, in small letters."""
    return re.sub(r"[\s-]", "", code).lower()


def fresh_codes(n: int = N_BACKUP_CODES) -> list[str]:
    """Backup codes such as `k3mp-x7qa`: eight letters, 31 ** 8 possibilities."""
    drawn = ("".join(secrets.choice(LETTERS) for _ in range(8)) for _ in range(n))
    return [f"{code[:4]}-{code[4:]}" for code in drawn]


def digest_of_code(code: str, key: str) -> str:
    """What is stored of a backup code: enough to recognize it, too little to read it."""
    return hmac.new(key.encode(), as_typed(code).encode(), hashlib.sha256).hexdigest()[:16]


def spaced(secret: str) -> str:
    """A secret to be typed into an app, in groups of four."""
    return " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))
