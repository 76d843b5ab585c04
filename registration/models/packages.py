"""Data packages: files that an organizer gives to the teams, and who downloaded which."""

from typing import ClassVar

from django.db import models

from accounts.models import Person
from campaigns.models import Campaign
from participants.limits import NAME_LIMIT
from participants.models import Team


class DataPackage(models.Model):
    """One file; its content is in rows of its own, so that no list reads it. A removed package keeps its downloads.

    While it is uploaded, it counts as removed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="packages")
    file_name = models.CharField(max_length=NAME_LIMIT)
    about = models.CharField(max_length=NAME_LIMIT, blank=True)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    uploaded_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["uploaded_at", "pk"]

    def __str__(self) -> str:
        return self.file_name


class PackageContent(models.Model):
    """A piece of a package's file, so that the whole is never held in memory."""

    package = models.ForeignKey(DataPackage, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["package", "number"], name="piece_of_package_once")]

    def __str__(self) -> str:
        return f"piece {self.number} of {self.package_id}"


class PackageDownload(models.Model):
    """`team` is empty where an organizer downloaded it."""

    package = models.ForeignKey(DataPackage, on_delete=models.CASCADE, related_name="downloads")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.person}: {self.package}"
