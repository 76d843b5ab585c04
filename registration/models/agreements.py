"""Agreements: what teams accept before they register bots and get data. A version is never changed, a new one asks again."""

from typing import ClassVar

from django.db import models

from accounts.models import Person
from campaigns.models import Campaign
from participants.models import Team
from rubrics.bilingual import Bilingual


class Agreement(Bilingual, models.Model):
    """One version of a campaign's agreement; one without a text says that none is asked for any more."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="agreements")
    version = models.PositiveIntegerField()
    text_zh = models.TextField(blank=True)
    text_en = models.TextField(blank=True)
    written_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "version"], name="agreement_version_once"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="agreement_versions_begin_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} {self.version}"

    @property
    def words(self) -> str:
        """The text in the reader's language, or in the one that there is."""
        return self.text("text")

    @property
    def is_asked(self) -> bool:
        return bool(self.text_zh or self.text_en)


class Acceptance(models.Model):
    """A member accepted one version for the team."""

    agreement = models.ForeignKey(Agreement, on_delete=models.PROTECT, related_name="acceptances")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="acceptances")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agreement", "team"], name="agreement_accepted_once_per_team")
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.agreement}"
