"""Who has an account, and how they like to read."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Person(AbstractUser):
    """Somebody with an account; what they may do is a role per campaign, never a flag here."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)

    def __str__(self) -> str:
        return self.username
