"""Invitations: who may become what in a campaign, by a link that works once."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign, Role
from participants.limits import NAME_LIMIT
from participants.models import Team


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def of_campaign(self, campaign: Campaign) -> "InvitationQuerySet":
        return self.filter(campaign=campaign)

    def pending(self, at: datetime) -> "InvitationQuerySet":
        return self.filter(used_at=None, withdrawn_at=None, expires_at__gt=at)

    def with_names(self) -> "InvitationQuerySet":
        return self.select_related("campaign", "team", "made_by", "used_by", "withdrawn_by")


class Invitation(models.Model):
    """One link for one person. Only the hash of its token is stored; renewing gives it another.

    `name` is whom the organizer wrote it for. `for_staff` lets in an organizer of the whole site: commands alone make it.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("pending")
        USED = "used", _("used")
        EXPIRED = "expired", _("expired")
        WITHDRAWN = "withdrawn", _("revoked")

    digest = models.CharField(max_length=64, unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    roles = models.JSONField(default=list, blank=True)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations")
    for_staff = models.BooleanField(default=False)
    name = models.CharField(max_length=NAME_LIMIT, blank=True)
    email = models.EmailField(blank=True)
    made_by = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations_made"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitations_used"
    )
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(withdrawn_at__isnull=True), name="used_invitations_stay_used"
            ),
            models.CheckConstraint(
                condition=Q(campaign__isnull=False) | Q(for_staff=True), name="invitations_lead_somewhere"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation for {self.name or 'anybody'} to {self.campaign or 'the site'}"

    def state_at(self, at: datetime) -> "Invitation.State":
        if self.used_at is not None:
            return self.State.USED
        if self.withdrawn_at is not None:
            return self.State.WITHDRAWN
        return self.State.PENDING if self.expires_at > at else self.State.EXPIRED

    @property
    def role_labels(self) -> list[str]:
        """The roles in the reader's language."""
        return [str(Role(role).label) for role in self.roles]
