"""Services of teams that automatic tasks call: where each listens, its way into the campaign, its checks and fingerprints."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from accounts.models import Person
from automatic_tasks.models.tasks import AutomaticTask
from campaigns.models import Campaign
from campaigns.origins import Originated, origin_is_known
from campaigns.stages import has_fresh_report
from conformance.label_services import SERVICE
from conformance.models import AnyCheck, AnyFingerprint, Routes
from participants.limits import REASON_LIMIT
from participants.models import Team
from participants.secrets import HasSecret, SecretField
from reading.kinds import URL_LIMIT


class ServiceQuerySet(models.QuerySet["Service"]):
    def with_names(self) -> "ServiceQuerySet":
        return self.select_related("task__campaign", "team")

    def taking_part(self) -> "ServiceQuerySet":
        """Those that runs may call: admitted and not withdrawn."""
        return self.filter(withdrawn_at=None, draft_since=None)

    def latest_checks(self) -> models.QuerySet["ServiceCheck"]:
        """The latest check of each, if it has one."""
        of_one = ServiceCheck.objects.filter(service=models.OuterRef("pk")).latest_first()
        return ServiceCheck.objects.filter(pk__in=self._first_of(of_one))

    def latest_prints(self) -> models.QuerySet["ServiceFingerprint"]:
        """The latest fingerprint of each that was taken, if any was."""
        of_one = ServiceFingerprint.objects.filter(service=models.OuterRef("pk"), failure=[]).exclude(answers=[])
        return ServiceFingerprint.objects.filter(pk__in=self._first_of(of_one.order_by("-taken_at", "-pk")))

    def _first_of(self, of_one: models.QuerySet[Any]) -> Any:
        return self.annotate(latest=models.Subquery(of_one.values("pk")[:1])).values("latest")


class Service(HasSecret, Originated):
    """Where a team's service for a task listens, and how far it has come: the moments are those of a bot (`campaigns/stages.py`).

    One that a file named, or that was there before services had stages, takes part and nobody registered it.
    """

    task = models.ForeignKey(AutomaticTask, on_delete=models.CASCADE, related_name="services")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="services")
    url = models.CharField(max_length=URL_LIMIT)
    secret = SecretField(blank=True)
    registered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    registered_at = models.DateTimeField(null=True, blank=True)
    draft_since = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    returned_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    frozen_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    # When the latest conformance report on this address ended, if it was green.
    green_at = models.DateTimeField(null=True, blank=True)
    # When an organizer last had all services called.
    called_at = models.DateTimeField(null=True, blank=True)

    objects = ServiceQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["task", "team"], name="one_service_per_team"),
            origin_is_known("service"),
        ]

    def __str__(self) -> str:
        return f"{self.team} for {self.task}"

    @property
    def campaign(self) -> Campaign:
        return self.task.campaign

    @property
    def protocol(self) -> str:
        """There is one for services."""
        return SERVICE

    @property
    def has_address(self) -> bool:
        return bool(self.url)

    @property
    def options(self) -> dict[str, Any]:
        """Its protocol reads none."""
        return {}

    @property
    def owner_of_secret(self) -> str:
        return f"{self.task}: {self.team}"

    def has_fresh_report(self, at: datetime) -> bool:
        """Whether it has the green report that the campaign demands, if it demands one."""
        return has_fresh_report(self, self.campaign.green_report_hours, at)


class ServiceCheck(AnyCheck):
    """A check of a service."""

    routes = Routes("service-checks", "service-check", "service-check-badge")

    service = models.ForeignKey(Service, on_delete=models.CASCADE, related_name="checks")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["service"],
                condition=models.Q(state__in=["queued", "running"]),
                name="one_open_check_per_service",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["service", "-asked_at"], name="checks_of_a_service")]

    def __str__(self) -> str:
        return f"check {self.pk} of service {self.service_id}"

    @property
    def subject(self) -> Service:
        return self.service


class ServiceFingerprint(AnyFingerprint):
    """How a service labelled the canary sentences; `answers` are the labels per sentence."""

    service = models.ForeignKey(Service, on_delete=models.CASCADE, related_name="fingerprints")

    class Meta(AnyFingerprint.Meta):
        indexes: ClassVar = [models.Index(fields=["service", "-taken_at"], name="fingerprints_of_a_service")]

    def __str__(self) -> str:
        return f"fingerprint of service {self.service_id} at {self.taken_at}"

    @property
    def subject(self) -> Service:
        return self.service
