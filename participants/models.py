"""Who takes part: teams and the bots of teams; and which addresses staff allow for them."""

from typing import ClassVar

from django.db import models

from participants.limits import NAME_LIMIT, PLACE_LIMIT
from participants.team_names import called, called_after


class Team(models.Model):
    """`name` is the team's name in files and addresses, and `name_en` its name in English where it gave another: pages show `called`.

    Teams of different campaigns may have one name: which of them a campaign means, its `KnownTeam` says.
    """

    name = models.CharField(max_length=NAME_LIMIT)
    name_en = models.CharField(max_length=NAME_LIMIT, blank=True)

    def __str__(self) -> str:
        return self.name

    @property
    def called(self) -> str:
        """The name in the reader's language."""
        return called(self.name, self.name_en)


class Bot(models.Model):
    """A system of a team; where it is reached is said by each campaign that it enters."""

    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="bots")
    name = models.CharField(max_length=NAME_LIMIT)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "name"], name="bot_name_once_in_a_team")]

    def __str__(self) -> str:
        return f"{self.team} / {self.name}"

    @property
    def called(self) -> str:
        """The name in the reader's language: one that is called as its team is has the team's."""
        return called_after(self.name, self.team.name, self.team.name_en)

    @property
    def label(self) -> str:
        """Team and system in the reader's language."""
        return f"{self.team.called} / {self.called}"


class AllowedAddress(models.Model):
    """A host or a network beyond the public ones that systems may be called at; `port` 0 is every port open to systems."""

    place = models.CharField(max_length=PLACE_LIMIT)
    port = models.PositiveIntegerField(default=0)
    added_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["place", "port"], name="an_address_is_allowed_once")]

    def __str__(self) -> str:
        return f"{self.place}:{self.port}" if self.port else self.place
