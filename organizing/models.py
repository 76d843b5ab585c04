"""What the meta-evaluation of a campaign keeps: metrics that were computed elsewhere, and the correlations computed last."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign


class MetricFile(models.Model):
    """Automatic figures of a campaign's systems from an uploaded table; a new one takes the place of the old one, with a new id.

    `figures` is a list of `{"skill", "system", "figures": {metric: value}}`; `skill` is empty where the table has none.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="metric_file")
    name = models.CharField(max_length=200)
    figures = models.JSONField()
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.campaign}/{self.name}"


class MetaEvaluationQuerySet(models.QuerySet["MetaEvaluation"]):
    def free(self, at: datetime) -> "MetaEvaluationQuerySet":
        """Those that nobody computes at the moment or computed just now."""
        return self.filter(models.Q(next_at=None) | models.Q(next_at__lte=at))


class MetaEvaluation(models.Model):
    """How a campaign's automatic figures and human means go together, as it was computed last; pages compute nothing.

    `made_from` names the state of everything it was computed from: it is up to date as long as that is the state of today.
    Nobody computes it again before `next_at`.
    """

    class Audience(models.TextChoices):
        ORGANIZERS = "organizers", _("organizers: scores as they are now")
        EVERYBODY = "everybody", _("everybody: scores as published")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="meta_evaluations")
    audience = models.CharField(max_length=10, choices=Audience.choices)
    content = models.JSONField(default=dict)
    made_from = models.CharField(max_length=100, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)

    objects = MetaEvaluationQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "audience"], name="one_meta_evaluation_per_audience"),
            models.CheckConstraint(
                condition=models.Q(audience__in=["organizers", "everybody"]), name="audience_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} for {self.audience}"
