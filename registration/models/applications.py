"""Applications: a team asks for a place in a campaign, and an organizer answers."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from participants.limits import NAME_LIMIT, REASON_LIMIT
from participants.models import Team
from participants.team_names import called


class ApplicationQuerySet(models.QuerySet["Application"]):
    def waiting(self) -> "ApplicationQuerySet":
        return self.filter(state=Application.State.WAITING)

    def of_campaign(self, campaign: Campaign) -> "ApplicationQuerySet":
        return self.filter(campaign=campaign)

    def with_names(self) -> "ApplicationQuerySet":
        return self.select_related("campaign", "applicant", "answered_by", "team")


class Application(models.Model):
    """What a team says of itself. `members` are user names or e-mail addresses, as they were typed."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for an answer")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("taken back")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="applications")
    applicant = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="applications")
    name_zh = models.CharField(max_length=NAME_LIMIT, blank=True)
    name_en = models.CharField(max_length=NAME_LIMIT, blank=True)
    affiliation = models.CharField(max_length=NAME_LIMIT)
    contact = models.CharField(max_length=NAME_LIMIT)
    members = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    applied_at = models.DateTimeField()
    # Of the answer, or of the withdrawal.
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    because = models.CharField(max_length=REASON_LIMIT, blank=True)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    objects = ApplicationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["applied_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "applicant"], condition=Q(state="waiting"), name="one_open_application"
            ),
            models.CheckConstraint(condition=~Q(name_zh="", name_en=""), name="application_names_a_team"),
            models.CheckConstraint(
                condition=Q(state="waiting", answered_at__isnull=True)
                | (~Q(state="waiting") & Q(answered_at__isnull=False)),
                name="answered_application_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.team_name

    @property
    def team_name(self) -> str:
        return self.name_zh or self.name_en

    @property
    def team_called(self) -> str:
        """The team's name in the reader's language."""
        return called(self.team_name, self.name_en)
