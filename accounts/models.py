"""Who has an account, and how they like to read; what was tried to get into one."""

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.scopes import WHOLE, Scope


class Person(AbstractUser):
    """Somebody with an account; what they may do is a role per campaign, never a flag here."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)

    # What the credential of this request allows; no column: who is read from the database anew has it whole.
    scope: Scope = WHOLE

    def __str__(self) -> str:
        return self.username


class LogInTry(models.Model):
    """A guess at an account, for as long as it counts (accounts/log_in/budgets.py); who got in leaves none."""

    # Digest of the name that was typed: it may be no account's, or a password in the wrong field.
    name = models.CharField(max_length=32)
    network = models.CharField(max_length=45)
    # The mark of a browser that got into this account before.
    device = models.CharField(max_length=32, blank=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["name", "at"], name="tries_by_name"),
            models.Index(fields=["network", "at"], name="tries_by_network"),
        ]

    def __str__(self) -> str:
        return f"{self.name} from {self.network} at {self.at}"
