"""Who takes part: people with their preferences, teams, and the bots that teams registered."""

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


class TeamMember(models.Model):
    """A participant's place in a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="team_places")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "person"], name="person_once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.person} in {self.team}"


class Bot(models.Model):
    """A system that a team hosts behind a URL."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="bots")
    name = models.CharField(max_length=200)
    protocol = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=2000, blank=True)
    secret = models.CharField(max_length=500, blank=True)
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "name"], name="bot_name_once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.team} / {self.name}"
