"""What a campaign says of itself, version after version."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.descriptions import PARTS
from campaigns.models.campaigns import Campaign
from reading.kinds import Texts
from rubrics.bilingual import Bilingual


class Description(Bilingual, models.Model):
    """One version, as it was shown; it is never changed, a change is the next version."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="descriptions")
    version = models.PositiveIntegerField()
    purpose_zh = models.TextField(blank=True)
    purpose_en = models.TextField(blank=True)
    rules_zh = models.TextField(blank=True)
    rules_en = models.TextField(blank=True)
    prizes_zh = models.TextField(blank=True)
    prizes_en = models.TextField(blank=True)
    contact_zh = models.TextField(blank=True)
    contact_en = models.TextField(blank=True)
    licence_zh = models.TextField(blank=True)
    licence_en = models.TextField(blank=True)
    consent_zh = models.TextField(blank=True)
    consent_en = models.TextField(blank=True)
    written_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    written_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "version"], name="description_version_once"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="description_versions_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}#{self.version}"

    @property
    def asks_for_consent(self) -> bool:
        return bool(self.consent_zh or self.consent_en)

    @property
    def words(self) -> str:
        """What testers agree to, in the reader's language, or in the one that there is."""
        return self.text("consent")

    def texts(self) -> dict[str, Texts]:
        return {part: Texts(getattr(self, f"{part}_zh"), getattr(self, f"{part}_en")) for part in PARTS}

    def shown(self) -> list[tuple[str, str, str]]:
        """The parts that say anything, in the reader's language or the other one: head, Markdown, and its language."""
        texts = {part: self.text(part) for part in PARTS}
        return [
            (_(PARTS[part]), text, "zh-hans" if text == getattr(self, f"{part}_zh") else "en")
            for part, text in texts.items()
            if text
        ]


class Consent(models.Model):
    """A tester agreed to what one version asks of testers; another version with the same words asks nobody again."""

    description = models.ForeignKey(Description, on_delete=models.CASCADE, related_name="consents")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["description", "person"], name="consent_once_per_version")
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.description}"
