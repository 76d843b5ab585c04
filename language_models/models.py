"""Endpoints of language models that campaigns declare, what was spent on them, and every call that was made.

ModelEndpoint ──▶ ModelSpending   one row a day, and one for all days: counted up before a call, set right after it
             └──▶ ModelCall       the ledger of calls, which is also the cache by the request's digest
ModelRun                          a command that is asking now, one at a time for each judge and each program
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.campaign_file.model_specs import CURRENCY_LIMIT, DEADLINE_S, TRIES
from campaigns.models import Campaign
from campaigns.origins import Originated, origin_is_known
from language_models.limits import MONEY_DIGITS, MONEY_PLACES
from language_models.prompts import money
from participants.limits import KEY_LIMIT, NAME_LIMIT, URL_LIMIT
from participants.secrets import HasSecret, SecretField
from reading.findings import Finding

MEASURES = ("calls", "tokens", "cost")


class Answers(models.TextChoices):
    """How the server is told what form an answer has."""

    JSON_SCHEMA = "json_schema", _("by a JSON Schema")
    TOOLS = "tools", _("by the call of a tool")
    TEXT = "text", _("in words")


class Purpose(models.TextChoices):
    TESTER = "tester", _("tester")
    JUDGE = "judge", _("judge")
    CHECK = "check", _("check")


class Outcome(models.TextChoices):
    ASKED = "asked", _("no answer yet")
    ANSWERED = "answered", _("answered")
    BAD_ANSWER = "bad_answer", _("not usable")
    REFUSED = "refused", _("refused")
    FAILED = "failed", _("failed")


class ModelEndpointQuerySet(models.QuerySet["ModelEndpoint"]):
    def in_use(self) -> Self:
        return self.filter(withdrawn_at=None)


class ModelEndpoint(HasSecret, Originated):
    """An OpenAI-compatible server's model that programs of a campaign may ask. NULL budgets are unlimited; `price_…` are per million tokens.

    `options`: `extra` (further fields of the request's body), `leave_out` (of temperature and seed), `length_field`, `deadline_s`, `tries`.
    The row stays once it is withdrawn, without its key: its calls say what was asked of it.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="model_endpoints")
    key = models.CharField(max_length=KEY_LIMIT)
    url = models.CharField(max_length=URL_LIMIT)
    model = models.CharField(max_length=NAME_LIMIT)
    secret = SecretField(blank=True)
    options = models.JSONField(default=dict, blank=True)
    answers = models.CharField(max_length=11, choices=Answers.choices, default=Answers.JSON_SCHEMA)
    price_in = models.DecimalField(max_digits=MONEY_DIGITS, decimal_places=MONEY_PLACES, default=Decimal(0))
    price_out = models.DecimalField(max_digits=MONEY_DIGITS, decimal_places=MONEY_PLACES, default=Decimal(0))
    currency = models.CharField(max_length=CURRENCY_LIMIT, default="USD")
    calls_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    tokens_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    cost_a_day = models.DecimalField(max_digits=MONEY_DIGITS, decimal_places=MONEY_PLACES, null=True, blank=True)
    calls_in_all = models.PositiveBigIntegerField(null=True, blank=True)
    tokens_in_all = models.PositiveBigIntegerField(null=True, blank=True)
    cost_in_all = models.DecimalField(max_digits=MONEY_DIGITS, decimal_places=MONEY_PLACES, null=True, blank=True)
    declared_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    declared_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ModelEndpointQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["key"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="model_key_once_in_a_campaign"),
            models.CheckConstraint(condition=models.Q(answers__in=Answers.values), name="model_answers_are_known"),
            origin_is_known("modelendpoint"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def owner_of_secret(self) -> str:
        return f"{self.campaign.slug}: model {self.key}"

    @property
    def deadline_s(self) -> float:
        return float(self.options.get("deadline_s", DEADLINE_S))

    @property
    def tries(self) -> int:
        return int(self.options.get("tries", TRIES))

    def budget(self, measure: str, *, is_in_all: bool) -> Any | None:
        """Of one of `MEASURES`, a day or in all; None where there is none."""
        return getattr(self, budget_name(measure, is_in_all=is_in_all))


def budget_name(measure: str, *, is_in_all: bool) -> str:
    return f"{measure}_in_all" if is_in_all else f"{measure}_a_day"


def common_budget(campaign: Campaign, measure: str, *, is_in_all: bool) -> int | None:
    """What all models of the campaign may take together; None where there is no limit."""
    budget: int | None = getattr(campaign, f"model_{budget_name(measure, is_in_all=is_in_all)}")
    return budget


# The row of all days together.
IN_ALL = "all"


def day_of(at: datetime) -> str:
    """Budgets have days of UTC, as the bills of most vendors do."""
    return at.astimezone(UTC).date().isoformat()


class ModelSpending(models.Model):
    """What an endpoint's calls of one day took (`period` is its date), or of all days (`all`), calls under way with the most they can take.

    `billionths` is money in whole billionths of the currency: sums of it are exact in every database.
    """

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="spendings")
    period = models.CharField(max_length=10)
    calls = models.PositiveBigIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    billionths = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["endpoint", "period"], name="one_spending_a_period"),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} {self.period}"

    @property
    def cost(self) -> Decimal:
        return Decimal(self.billionths).scaleb(-MONEY_PLACES)


def billionths(cost: Decimal) -> int:
    return int(cost.scaleb(MONEY_PLACES))


class ModelCallQuerySet(models.QuerySet["ModelCall"]):
    def answering(self, endpoint: ModelEndpoint, digest: str) -> "ModelCall | None":
        """The call that answered this request before."""
        found = self.filter(endpoint=endpoint, digest=digest, outcome=Outcome.ANSWERED, is_from_cache=False)
        return found.order_by("-pk").first()


class ModelCall(models.Model):
    """One request to a model's server, or one answer from the cache, which takes no tokens and costs nothing.

    Stored with the most that it can take before it is sent; one whose process died stays so, and stays counted. `is_counted_by_us`
    says that the server named no tokens and the bound stands. `trouble` is a finding where there is no usable answer.
    """

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="calls")
    purpose = models.CharField(max_length=6, choices=Purpose.choices)
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.ASKED)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=MONEY_DIGITS, decimal_places=MONEY_PLACES, default=Decimal(0))
    is_counted_by_us = models.BooleanField(default=False)
    # What the server calls the model that answered, which a name like “latest” does not say.
    model = models.CharField(max_length=NAME_LIMIT, blank=True)
    answer = models.TextField(blank=True)
    trouble = models.JSONField(default=list, blank=True)
    is_from_cache = models.BooleanField(default=False)

    objects = ModelCallQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["endpoint", "digest"], name="calls_by_digest"),
            models.Index(fields=["endpoint", "-at"], name="calls_of_an_endpoint"),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} {self.digest[:8]}"

    @property
    def cost_in_words(self) -> str:
        return money(self.cost)

    @property
    def trouble_in_words(self) -> str:
        return str(Finding.from_json(self.trouble)) if self.trouble else ""


class ModelRun(models.Model):
    """A run of `manage.py judge` or `simulate` that goes on now; `asks_for` is the judge's key or the program's name.

    There is a row while it runs, under a lease that it renews: two runs of the same would ask, and pay for, the same dialogues.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="model_runs")
    purpose = models.CharField(max_length=6, choices=Purpose.choices)
    asks_for = models.CharField(max_length=NAME_LIMIT)
    worker = models.CharField(max_length=200)
    began_at = models.DateTimeField()
    lease_until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "purpose", "asks_for"], name="one_run_of_a_judge_or_program"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.asks_for}"
