"""Secrets of bots at rest: encrypted with a key that is derived from the platform's own, and shown to nobody.

A secret that an older key sealed (`SECRET_KEY_FALLBACKS`) can still be read; storing it again seals it with the present key.
"""

import base64
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.encoding import force_bytes

PURPOSE = b"huace: secrets of bots"


class SecretLost(Exception):
    """The secret was sealed with a key that the platform no longer has: its owner has to name it again."""


class Sealed(str):
    """An encrypted secret, as the database holds it."""

    __slots__ = ()


def seal(text: str) -> Sealed:
    """The text encrypted; no text stays no text, so that the database can tell whether there is a secret."""
    return Sealed(_boxes().encrypt(text.encode()).decode() if text else "")


def unseal(sealed: Sealed) -> str:
    """Errors: `SecretLost`."""
    try:
        return _boxes().decrypt(sealed.encode()).decode() if sealed else ""
    except InvalidToken as unreadable:
        raise SecretLost from unreadable


def _boxes() -> MultiFernet:
    return _boxes_of((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(maxsize=8)
def _boxes_of(keys: tuple[str | bytes, ...]) -> MultiFernet:
    """Seals with the first of the keys, unseals with any."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(force_bytes(key)))) for key in keys])


def _derived(key: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(key)


class _Unsealing(DeferredAttribute):
    """Reads as plain text. A row from the database is unsealed only when somebody asks: lists of bots never do."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        value = super().__get__(instance, cls)
        return unseal(value) if isinstance(value, Sealed) else value

    # Together with __get__ this makes a data descriptor; without it, the instance's sealed value would be found first.
    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class SecretField(models.TextField):
    """A text that is sealed in the database and in whatever a query gives, and plain as an attribute of its row."""

    descriptor_class = _Unsealing

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        # Not read through the attribute: a sealed value stays as it is, also where no key unseals it any more.
        return model_instance.__dict__[self.attname]

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else Sealed(value)

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return prepared if prepared is None or isinstance(value, Sealed) else str(seal(prepared))


class HasSecret(models.Model):
    """A row whose `secret` is sealed: that of a bot, or of a service."""

    secret: Any

    class Meta:
        abstract = True

    @property
    def has_secret(self) -> bool:
        """Whether there is one, readable or not; nothing is unsealed for that."""
        return bool(self.__dict__["secret"])

    def has_lost_its_secret(self) -> bool:
        """Whether the secret was sealed with a key that the platform no longer has, so that nobody can be asked."""
        try:
            return self.secret is None
        except SecretLost:
            return True
