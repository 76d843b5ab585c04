"""Who takes part: people with their preferences, teams, and the bots of teams."""

from typing import ClassVar

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


class Team(models.Model):
    name = models.CharField(max_length=200, unique=True)

    def __str__(self) -> str:
        return self.name


class Bot(models.Model):
    """A system of a team; where it is reached is said by each campaign that it enters."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="bots")
    name = models.CharField(max_length=200)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "name"], name="bot_name_once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.team} / {self.name}"
