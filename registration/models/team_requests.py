"""Requests to a team that another campaign owns: whether it takes part here, too."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from participants.limits import NAME_LIMIT
from participants.models import Team


class TeamRequestQuerySet(models.QuerySet["TeamRequest"]):
    def waiting(self) -> "TeamRequestQuerySet":
        return self.filter(state=TeamRequest.State.WAITING)

    def for_team(self, team: Team) -> "TeamRequestQuerySet":
        """Those that the members of the team can answer."""
        asked = self.waiting().filter(name=team.name).exclude(declined_by=team)
        return asked.exclude(campaign__known_teams__team=team)


class TeamRequest(models.Model):
    """An organizer names a team; each team of that name may accept. That one declined is told to nobody, nor that there is one."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        WITHDRAWN = "withdrawn", _("taken back")
        OVERTAKEN = "overtaken", _("a new team has this name")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="team_requests")
    name = models.CharField(max_length=NAME_LIMIT)
    asked_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    declined_by = models.ManyToManyField(Team, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    answered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = TeamRequestQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-asked_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "name"], condition=Q(state="waiting"), name="one_open_request_per_name"
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", team__isnull=False) | ~Q(state="accepted"),
                name="accepted_request_has_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.campaign}"
